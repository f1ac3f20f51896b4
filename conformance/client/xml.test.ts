import t from 'tap'
import { ExcessiveXml, parseXml } from './xml.js'

const list = (times: number, part: (index: number) => string) =>
  Array.from({ length: times }, (_, index) => part(index)).join('')

function refusal(document: string): unknown {
  try {
    return parseXml(Buffer.from(document), undefined)
  } catch (error) {
    return error
  }
}

t.test('what would take a parser memory and time without end is refused before it is parsed', async (t) => {
  const documents = {
    depth: `${list(201, () => '<a>')}${list(201, () => '</a>')}`,
    tags: `<a>${list(80_000, () => '<b/>')}</a>`,
    comments: `<a>${list(80_000, () => '<!---->')}</a>`,
    instructions: `<a>${list(80_000, () => '<?b?>')}</a>`,
    CDATA: `<a>${list(80_000, () => '<![CDATA[]]>')}</a>`,
    references: `<a>${list(300_001, () => '&#x20;')}</a>`,
    'attributes of one tag': `<a ${list(101, (index) => `a${index}="" `)}/>`,
    'attributes in all': `<a>${list(1000, () => `<b ${list(61, (index) => `a${index}='' `)}/>`)}</a>`,
    namespaces: `<a ${list(20, (index) => `xmlns:a${index}="b" `)}c=""/>`,
    declarations: `<!DOCTYPE a [${list(5000, (index) => `<!ENTITY e${index} "">`)}]><a/>`,
  }
  for (const [what, document] of Object.entries(documents)) {
    t.ok(refusal(document) instanceof ExcessiveXml, what)
  }
  t.ok(parseXml(Buffer.from(`<a ${list(100, (index) => `a${index}="" `)}/>`), undefined).documentElement)
})

t.test('what stops a parser is quoted', async (t) => {
  const messages = ['<a>\n <b>\n<c d="e"f"/></b></a>', '<a>\r\n<b></c></a>', '<a><b/>'].map((document) =>
    refusal(document) instanceof Error ? (refusal(document) as Error).message : 'parsed',
  )
  t.strictSame(messages, [
    'the document has a tag without an end (<c d="e"f"/></b></a>)',
    'Opening and ending tag mismatch: "b" != "c" (line 2: <b></c></a>)',
    'unclosed xml tag(s): a (line 1: <b/>)',
  ])
})

t.test('how much markup a document has is told before it is parsed', async (t) => {
  let told = 0
  const document = '<a b="c"><!-- d --><?e f?><![CDATA[g]]><h/></a>'
  parseXml(Buffer.from(document), undefined, (pieces) => {
    told += pieces
  })
  t.equal(told, 7)
})
