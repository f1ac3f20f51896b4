import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import t from 'tap'
import type { Role } from '../../auth/principal.js'
import type { Credential } from '../../auth/principals-file.js'
import { mock } from '../mock.test.helper.js'

const PARTS = readdirSync(new URL('browser/', import.meta.url)).filter((name) =>
  /^(?!sign-in).*\.js$/.test(name),
)

t.test('the page is there where the extras are, below any base path', async (t) => {
  for (const options of [{}, { basePath: '/a/b' }]) {
    const { mq } = await mock(t, options)
    const response = await fetch(`${mq.url}/_control`)
    t.equal(response.url, `${mq.url}/_control/`, 'one is sent to the address with the slash')
    t.equal(response.headers.get('content-type'), 'text/html;charset=utf-8')
    const html = await response.text()
    t.match(html, /^<!DOCTYPE html>\n<html lang="en">/)
    t.notMatch(
      html,
      /(?:src|href|action)="(?:\/|https?:)| on\w+=|<style|style=/,
      'nothing from elsewhere, nothing inline',
    )
    const moved = await fetch(`${mq.url}/_control`, { redirect: 'manual' })
    t.equal(moved.status, 308)
    t.equal(moved.headers.get('location'), '_control/')
  }
})

t.test('without the extras there is no page', async (t) => {
  const { mq } = await mock(t, { control: false })
  for (const path of ['/_control', '/_control/', '/_control/page/main.js', '/_control/page/style.css']) {
    t.equal((await fetch(mq.url + path)).status, 404, path)
  }
})

t.test('every part of it comes, with rights for nothing else, and once', async (t) => {
  const { ask } = await mock(t)
  t.ok(PARTS.length > 5)
  for (const path of [
    '/_control/',
    '/_control/page/style.css',
    ...PARTS.map((name) => `/_control/page/${name}`),
  ]) {
    const { status, headers } = await ask(`GET ${path}`)
    t.equal(status, 200, path)
    t.match(headers.get('content-type'), path.endsWith('.js') ? 'text/javascript' : /text\/(?:html|css)/)
    t.match(headers.get('content-security-policy'), /^default-src 'none'; script-src 'self'; /)
    t.match(headers.get('content-security-policy'), /trusted-types lanes$/)
    t.equal(headers.get('x-content-type-options'), 'nosniff')
    t.equal(headers.get('cache-control'), 'no-cache')
    const etag = headers.get('etag') as string
    t.equal((await ask(`GET ${path}`, undefined, { 'If-None-Match': etag })).status, 304, path)
  }
})

t.test('nothing else of the package can be had', async (t) => {
  const { ask } = await mock(t)
  for (const name of [
    'page.js',
    '..%2Fpage.js',
    '%2e%2e%2f%2e%2e%2fcontrol.js',
    'main.js.map',
    'main.d.ts',
    'toString',
  ]) {
    t.equal((await ask(`GET /_control/page/${name}`)).status, 404, name)
  }
  t.equal((await ask('POST /_control/')).status, 405)
})

t.test('where there are principals it is for administrators', async (t) => {
  const credential = (name: string, roles: readonly Role[]): Credential => ({
    principal: { name, roles: new Set(roles) },
    hash: createHash('sha256').update(`the-token-of-${name}`).digest(),
  })
  const principals = [credential('root', ['admin']), credential('shop', ['produce', 'consume'])]
  const { ask } = await mock(t, { principals })
  for (const path of ['/_control', '/_control/', '/_control/page/main.js']) {
    t.equal((await ask(`GET ${path}`)).status, 401, path)
    t.equal(
      (await ask(`GET ${path}`, undefined, { Authorization: 'Bearer the-token-of-shop' })).status,
      403,
      path,
    )
    const basic = `Basic ${Buffer.from('root:the-token-of-root').toString('base64')}`
    t.equal((await ask(`GET ${path}`, undefined, { Authorization: basic })).status, 200, path)
  }
})
