import t from 'tap'
import { ATOM, readLinks } from './atom.js'
import { parseXml } from './xml.js'

t.test('the base of many links is read once', (t) => {
  const links = '<link href="m"/>'.repeat(1000)
  const document = `<feed xmlns="${ATOM}" xml:base="/one/">${links}</feed>`
  const root = parseXml(Buffer.from(document), undefined).documentElement!
  let read = 0
  const getAttributeNS = root.getAttributeNS.bind(root)
  root.getAttributeNS = (...args) => {
    read += 1
    return getAttributeNS(...args)
  }
  const hrefs = readLinks(root, 'http://target.test/').map(({ href }) => href)
  t.strictSame(new Set(hrefs), new Set(['http://target.test/one/m']))
  t.equal(hrefs.length, 1000)
  t.equal(read, 1)
  t.end()
})
