import { createHash } from 'node:crypto'
import t from 'tap'
import { parsePrincipals } from './principals-file.js'

const sha256 = (token: string) => createHash('sha256').update(token).digest('hex')
const file = (...principals: unknown[]) => JSON.stringify({ principals })

t.test('a file of principals', async (t) => {
  const [shop, boss] = parsePrincipals(
    file(
      { name: 'shop', tokenSha256: sha256('one').toUpperCase(), roles: ['produce', 'consume'] },
      { name: 'boss', tokenSha256: sha256('two'), roles: [] },
    ),
  )
  t.equal(shop?.principal.name, 'shop')
  t.same([...(shop?.principal.roles ?? [])], ['produce', 'consume'])
  t.equal(Buffer.from(shop!.hash).toString('hex'), sha256('one'))
  t.equal(boss?.principal.roles.size, 0)
  t.same(parsePrincipals(file()), [], 'nobody at all is a file, too')
})

t.test('the path of each mistake is named, and no hash is quoted', async (t) => {
  const hash = sha256('secret')
  const good = { name: 'shop', tokenSha256: hash, roles: ['produce'] }
  const mistakes: [text: string, message: string][] = [
    [`{"principals": [${hash}`, 'it is not JSON.'],
    ['[]', 'the file must be an object.'],
    ['null', 'the file must be an object.'],
    ['{}', 'principals must be a list.'],
    ['{"principals": [], "more": 1}', 'the file has no field "more".'],
    [file(1), 'principals[0] must be an object.'],
    [file(good, { ...good, secret: 1 }), 'principals[1] has no field "secret".'],
    [
      file({ ...good, name: 'a:b' }),
      'principals[0].name must be a text of 1 to 255 characters without a colon.',
    ],
    [
      file({ ...good, name: '' }),
      'principals[0].name must be a text of 1 to 255 characters without a colon.',
    ],
    [file({ ...good, name: 7 }), 'principals[0].name must be a text of 1 to 255 characters without a colon.'],
    [
      file({ ...good, tokenSha256: hash.slice(1) }),
      'principals[0].tokenSha256 must be 64 hexadecimal digits.',
    ],
    [file({ ...good, tokenSha256: 7 }), 'principals[0].tokenSha256 must be 64 hexadecimal digits.'],
    [file({ ...good, roles: 'produce' }), 'principals[0].roles must be a list of produce, consume, admin.'],
    [file({ ...good, roles: ['king'] }), 'principals[0].roles must be a list of produce, consume, admin.'],
    [file(good, { ...good, tokenSha256: sha256('x') }), 'principals[1].name is given twice.'],
    [file(good, { ...good, name: 'b' }), "principals[1].tokenSha256 is another principal's too."],
  ]
  for (const [text, message] of mistakes) {
    t.throws(() => parsePrincipals(text), { message }, message)
    t.notOk(message.includes(hash))
  }
})
