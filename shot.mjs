import { chromium } from 'playwright-core'
const b = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox','--disable-gpu','--disable-quic','--no-first-run','--disable-background-networking','--disable-component-update','--disable-sync'] })
for (const [w, scheme] of [[1280,'light'],[360,'dark']]) {
  const c = await b.newContext({ viewport: { width: w, height: 1300 }, colorScheme: scheme })
  const p = await c.newPage(); p.on('console', m => console.log(m.text())); p.on('pageerror', e => console.log(String(e)))
  const t = Date.now(); await p.goto('file:///work/wt/site/docs/site/index.html#4-send'); console.log(w, 'load ms', Date.now() - t)
  await p.screenshot({ path: `/tmp/lead/s${w}.png` })
  const cl = p.locator('[data-clause="send.two-step.repeat"]'); await cl.scrollIntoViewIfNeeded()
  await cl.locator('[data-panel=checks]').first().click(); await p.waitForTimeout(500)
  await p.screenshot({ path: `/tmp/lead/p${w}.png` })
  console.log(await p.evaluate(() => document.documentElement.scrollWidth))
}
await b.close()
