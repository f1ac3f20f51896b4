import { createHash } from 'node:crypto'
import t from 'tap'
import { Problem } from '../http/problems.js'
import { createAuthenticate } from './authenticate.js'

const credential = (name: string, token: string) => ({
  principal: { name, roles: new Set(['produce'] as const) },
  hash: createHash('sha256').update(token).digest(),
})
const authenticate = createAuthenticate([credential('shop', 's3cret'), credential('größe', 'päss:wort')])
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

t.test('who is known', async (t) => {
  t.equal(authenticate('Bearer s3cret').name, 'shop')
  t.equal(authenticate('bearer  s3cret').name, 'shop', 'the scheme has no case')
  t.equal(authenticate(basic('shop:s3cret')).name, 'shop')
  t.equal(authenticate(basic('größe:päss:wort')).name, 'größe', 'UTF-8, and a colon in the token')
})

t.test('who is not', async (t) => {
  const strangers = [
    undefined,
    '',
    's3cret',
    'Bearer',
    'Bearer s3cre',
    'Bearer s3cret s3cret',
    'Digest s3cret',
    basic('shop'),
    basic('shop:wrong'),
    basic('other:s3cret'),
    basic('größe:s3cret'),
    'Basic !!!',
  ]
  for (const authorization of strangers) {
    const refusal = t.throws(() => authenticate(authorization), Problem) as Problem
    t.equal(refusal.kind, 'unauthorized', String(authorization))
    t.match(refusal.headers['WWW-Authenticate'], /^Basic realm=.*, Bearer realm=/)
    t.notMatch(refusal.message, /s3cret|wrong/, 'what was presented is not repeated')
  }
})
