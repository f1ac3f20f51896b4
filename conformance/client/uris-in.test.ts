import t from 'tap'
import { answerOf, readingTrial } from '../trial/trial.test.helper.js'
import { listedUris } from './uris-in.js'

const ONE = 'http://target.test/mq/message/anna/c07b11'
const TWO = 'http://target.test/mq/message/anna/c07b12'
const shape = (uri: string) => /\/message\/anna\/[^/]+$/.test(uri)
const ATOM = 'xmlns="http://www.w3.org/2005/Atom"'
const uris = (...args: Parameters<typeof answerOf>) =>
  listedUris(readingTrial(), answerOf(...args), shape).uris

t.test('addresses are found in whatever form they are listed', (t) => {
  const forms: Record<string, Parameters<typeof answerOf>> = {
    'a list of addresses': [`# locked\r\n${ONE}\r\n${TWO}\r\n`, { 'content-type': 'text/uri-list' }],
    'paths in lines': ['/mq/message/anna/c07b11\n/mq/message/anna/c07b12'],
    'relative paths': ['../message/anna/c07b11 ../message/anna/c07b12'],
    'a sentence': [`Locked: <${ONE}>, "${TWO}".`],
    'JSON texts': [JSON.stringify([ONE, '/mq/message/anna/c07b12'])],
    'JSON objects': [
      JSON.stringify({
        self: '/mq/lockNextMessage/anna',
        messages: [
          { id: 'c07b11', ack: '/mq/anna/messages/c07b11', url: ONE },
          { id: 'c07b12', href: TWO, content: `${TWO}/content` },
        ],
      }),
    ],
    'JSON by id': [JSON.stringify({ c07b11: ONE, c07b12: TWO })],
    'a feed': [
      `<feed ${ATOM}><link rel="self" href="/mq/x"/><entry><id>urn:x:1</id><link rel="edit" href="${ONE}"/>` +
        `<link rel="alternate" href="/mq/anna/messages/c07b11"/></entry>` +
        `<entry><id>urn:x:2</id><link rel="related" href="${TWO}"/></entry></feed>`,
    ],
    'other XML': [`<batch><message href="${ONE}"/><message><uri>${TWO}</uri></message></batch>`],
    'HTML that is no XML': [`<ul><li><a href=${ONE}>1<li><a href='${TWO}'>2</a></ul>`],
    'Link fields': ['', { link: `<${ONE}>; rel="item", </mq/message/anna/c07b12>; rel="item"` }],
  }
  for (const [what, args] of Object.entries(forms)) t.strictSame(uris(...args), [ONE, TWO], what)
  t.end()
})

t.test('addresses are found in JSON however deep they stand, in time that grows with its length', (t) => {
  const lists = { page: { items: [{ message: { href: ONE } }, [[{ of: { uris: [TWO] } }]]] } }
  t.strictSame(uris(JSON.stringify(lists)), [ONE, TWO])
  const levels = 4500
  const many = '"/m/1",'.repeat(10)
  const cost = (text: string) => {
    const before = process.cpuUsage()
    t.strictSame(uris(text), ['http://target.test/m/1', 'http://target.test/m/2'])
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
  const flat = cost(`[${many.repeat(levels)}"/m/2"]`)
  const deep = cost(`${`[${many}`.repeat(levels)}"/m/2"${']'.repeat(levels)}`)
  t.ok(deep < 2 * flat + 300, `${deep} ms, and ${flat} ms of as many side by side`)
  t.end()
})

t.test('an address may hold what ends a word in a list that people read', (t) => {
  const at = 'http://target.test/mq/message/anna/'
  const type = { 'content-type': 'text/uri-list;charset=utf-8' }
  const odd = ['msg:b5;v=1,@130', '(1)', "it's", 'c.', 'd;']
  const lines = odd.map((each) => `../message/anna/${each}\r\n`)
  t.strictSame(
    uris(`# locked, all\r\n${lines.join('')}`, type),
    odd.map((each) => at + each),
  )
  t.strictSame(uris(`<${ONE}>\n${TWO}, ${ONE}`, type), [ONE, TWO], 'what is no address is read as words')
  t.strictSame(uris('../message/anna/1,2,../message/anna/3'), [`${at}1,2`, `${at}3`])
  t.strictSame(uris(`${ONE},"${TWO}"`), [ONE, TWO])
  t.strictSame(uris(JSON.stringify(['../message/anna/1,2', `${at}3)`])), [`${at}1,2`, `${at}3)`])
  t.end()
})

t.test('an address that is listed twice counts once', (t) => {
  t.strictSame(uris(`${ONE}\n/mq/message/anna/c07b11`, { link: `<${ONE}>` }), [ONE])
  t.end()
})

t.test('where no address has the shape, each thing listed counts with its first', (t) => {
  t.strictSame(uris('/m/1\n/m/2'), ['http://target.test/m/1', 'http://target.test/m/2'])
  t.strictSame(uris(JSON.stringify([{ href: '/m/1', ack: '/a/1' }, { href: '/m/2' }])), [
    'http://target.test/m/1',
    'http://target.test/m/2',
  ])
  t.end()
})

t.test('nothing is found in a refusal, in an empty list, or in words', (t) => {
  t.strictSame(uris(ONE, {}, { status: 404 }), [])
  t.strictSame(uris(''), [])
  t.strictSame(uris('[]'), [])
  t.strictSame(uris('null'), [])
  t.strictSame(uris('There is no message.'), [])
  t.strictSame(uris(`<feed ${ATOM}><link rel="self" href="/mq/x"/></feed>`), [])
  t.strictSame(uris('http://[broken/message/anna/1'), [])
  t.strictSame(uris('http://target.test/mq/lockNextMessage/anna?max=9'), [], 'its own address')
  t.end()
})

t.test('links and addresses around a list are none of its messages', (t) => {
  const around =
    '</help>; rel=help, <?page=2>; rel="self next", </mq/queues/a>; rel="up collection edit", <http://docs.test/>; rel="describedby", ' +
    '</mq/message/anna/schema>; rel="describedby", </mq/message/anna/z>; rel=item; anchor="/elsewhere", </x>; title="<a>; rel=item"'
  t.strictSame(uris('', { link: around }), [])
  t.strictSame(uris(`${ONE}\n`, { link: around }), [ONE])
  t.strictSame(uris('', { link: `${around}, </m/1>; rel="item"` }), ['http://target.test/m/1'])
  const feed = `<entry><id>urn:x:1</id><link rel="edit" href="${ONE}"/><link rel="alternate" href="${ONE}?raw"/></entry>`
  t.strictSame(uris(`<feed ${ATOM}>${feed}</feed>`), [ONE], 'an entry is one message')
  t.strictSame(uris(JSON.stringify([{ url: ONE, raw: `${ONE}?raw` }])), [ONE])
  const others = ['/mq/', '/mq/queues', '/mq/queue/a', '/mq/subscriptions', '/mq/lockNextMessage/anna?max=2']
  t.strictSame(uris(JSON.stringify({ links: others, messages: [] })), [])
  t.strictSame(uris(`${'.'.repeat(200_000)}x`), [], 'however much stands around them')
  t.end()
})
