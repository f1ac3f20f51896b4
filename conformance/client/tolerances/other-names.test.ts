import t from 'tap'
import { OtherNames } from './other-names.js'
import { answering, outgoing } from './sending.test.helper.js'

const HERE = 'http://here.test:81/mq'

function named(answer: Parameters<typeof answering>[0]) {
  const { asked, send } = answering(answer)
  const doubts: string[] = []
  const names = new OtherNames(HERE, send, new Set(), (doubt) => doubts.push(doubt))
  const ask = async (url: string) => {
    const { status, url: told } = await names.send(outgoing('GET', url))
    return [status, told]
  }
  return { asked, doubts, ask }
}

t.test(
  'a name that takes no connection is asked for at the same path here, and known from then on',
  async (t) => {
    const { asked, ask } = named((one) => (one.includes('inside') ? { status: 0, connected: false } : {}))
    const inside = 'http://inside.test/mq/a?b=c'
    t.strictSame(await ask(inside), [200, inside], 'it is told as it was asked')
    t.strictSame(await ask(inside), [200, inside])
    t.strictSame(await ask(`${HERE}/a`), [200, `${HERE}/a`])
    const here = 'GET http://here.test:81/mq/a?b=c'
    t.strictSame(asked, [`GET ${inside}`, here, here, `GET ${HERE}/a`])
  },
)

t.test('what is of another scheme is asked nowhere else', async (t) => {
  const { asked, ask } = named(() => ({ status: 0, connected: false }))
  t.strictSame(await ask('urn:none'), [0, 'urn:none'])
  t.strictSame(asked, ['GET urn:none'])
})

t.test('what refuses a request without credentials is asked here, where they go', async (t) => {
  const other = 'http://other.test/mq/a'
  const bare = { status: 401, isBare: true }
  const right = named((one) => (one.includes('other') ? bare : {}))
  t.strictSame(await right.ask(other), [200, other])
  t.strictSame(right.doubts, [])
  const wrong = named((one) => (one.includes('other') ? bare : { status: 404 }))
  t.strictSame(await wrong.ask(other), [401, other])
  t.match(wrong.doubts, [/--origin http:\/\/other.test/])
  const login = named(() => ({ isBare: true, headers: { 'content-type': 'text/html' } }))
  t.strictSame(await login.ask(other), [200, other])
  t.equal(login.doubts.length, 1)
})
