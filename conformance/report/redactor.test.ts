import t from 'tap'
import { parseProfile } from '../client/parse-profile.js'
import { Redactor } from './redactor.js'

t.test('credentials are blank in what is quoted, where the quotation ends within them, too', async (t) => {
  const redactor = new Redactor(parseProfile({ headers: { Authorization: 'Bearer abcdef0123456789' } }))
  t.equal(redactor.text('404: "no abcdef0123456789 here"'), '404: "no *** here"')
  t.equal(redactor.text('404: "who is abcdef01…"'), '404: "who is ***…"')
  t.equal(redactor.text('404: "who is abc… and abcd…"'), '404: "who is ***… and ***…"')
  t.equal(redactor.text('404: "who is xyz…"'), '404: "who is xyz…"')
})
