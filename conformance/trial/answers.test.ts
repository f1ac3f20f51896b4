import t from 'tap'
import { answered, kindOf, wordsOf } from '../client/answered.js'
import type { Exchange } from '../client/exchange.js'
import { elementsNamed, extensions } from './answers.js'

const answer = (body: string, type = 'application/xml') =>
  ({
    status: 200,
    headers: { 'content-type': type },
    body: Buffer.from(body),
  }) as unknown as Exchange

t.test('extension elements are read as characters, however they are written', async (t) => {
  const written = [
    '<m:n xmlns:m="urn:m">1&lt;2</m:n>',
    '<n xmlns="urn:n">&#49;&#x3C;2</n>',
    '<m:n xmlns:m="urn:m" a=">"><![CDATA[1<]]>2<!-- 3 --></m:n>',
  ]
  const xml = `<feed xmlns="http://www.w3.org/2005/Atom">${written.join('')}</feed>`
  t.strictSame(extensions(answer(xml), 'n'), ['1<2', '1<2', '1<2'])
  t.equal(elementsNamed(answer(xml), 'n')[2]?.getAttribute('a'), '>')
})

t.test('a document that is no XML has none', async (t) => {
  for (const body of ['', '{"n":1}', '<a><n>1</n>']) t.strictSame(extensions(answer(body), 'n'), [], body)
})

t.test('the words of a page are those that somebody reads', async (t) => {
  const page =
    '<!DOCTYPE html><html><head><title>Error</title></head><body><h1>400</h1>\n<p>a name, please</p></body>'
  t.equal(wordsOf(answer(page, 'text/html; charset=utf-8')), '400 a name, please')
  t.equal(wordsOf(answer(' <a>\r\n b', 'text/plain')), '<a> b')
  t.equal(wordsOf(answer('x'.repeat(5000))), `${'x'.repeat(200)}…`)
})

t.test('a refusal is quoted as it may be shown, and a success is not', async (t) => {
  const refusal = { ...answer('no such\n queue \u001b[31m', 'text/plain'), status: 404 }
  t.equal(answered(refusal), '404 with text/plain: "no such queue \\u001b[31m"')
  t.equal(kindOf(refusal), '404 with text/plain')
  t.equal(answered(answer('<feed/>')), '200 with application/xml')
  t.equal(
    answered({ ...refusal, body: Buffer.from('\u009b\u202ex') }),
    '404 with text/plain: "⟨U+009B⟩⟨U+202E⟩x"',
  )
})
