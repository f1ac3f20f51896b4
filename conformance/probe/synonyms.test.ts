import t from 'tap'
import { namedFields, SYNONYMS } from './synonyms.js'

t.test('fields that a refusal names', async (t) => {
  const cases: [refusal: string, fields: string[]][] = [
    ['', []],
    ['The request cannot be understood.', []],
    ['Missing "agreement" and `other`.', ['agreement', 'other']],
    ['the parameter queueName is missing, and field x-y too', ['queueName', 'x-y']],
    ['client is required', ['client']],
    ['missing: client; it needs a mode', ['client', 'mode']],
    ['"not a name" and "9lives"', []],
    ['{"title":"Bad","detail":"give \\"box\\""}', ['box']],
    [
      '{"errors":[{"pointer":"#/size","detail":"too small"}],"invalid-params":[{"name":"kind"}]}',
      ['size', 'kind'],
    ],
    ['{"parameter":"a","field":"a"}', ['a']],
    ['["the field z is wrong", 1, null]', ['z']],
    ['null', []],
  ]
  for (const [refusal, fields] of cases) t.strictSame(namedFields(refusal), fields, refusal)
  const many = Array.from({ length: 50 }, (_, index) => `"f${index}"`).join(' ')
  t.equal(namedFields(many).length, 20, 'a refusal with more words is not gone through')
})

t.test('no synonym is there twice', async (t) => {
  for (const [what, names] of Object.entries(SYNONYMS)) t.equal(new Set(names).size, names.length, what)
})
