import fc from 'fast-check'
import t from 'tap'
import { html } from './markup.js'

t.test('text is escaped, markup is not, and nothing is nothing', async (t) => {
  const inner = html`<b>${'<i>'}</b>`
  t.equal(
    String(html`<p a="${'"\'&'}">${inner}${undefined}${7}${['<', inner]}</p>`),
    '<p a="&#34;&#39;&#38;"><b>&#60;i&#62;</b>7&#60;<b>&#60;i&#62;</b></p>',
  )
})

t.test('what nobody would see is shown', async (t) => {
  const shown = (text: string) => html`${text}`.html
  t.equal(shown('a\0\r\u001b\u007f\u0085'), 'a⟨U+0000⟩⟨U+000D⟩⟨U+001B⟩⟨U+007F⟩⟨U+0085⟩')
  t.equal(shown('\u202e\u2066\u200f\ufeff\u2028'), '⟨U+202E⟩⟨U+2066⟩⟨U+200F⟩⟨U+FEFF⟩⟨U+2028⟩')
  t.equal(shown('\ud800x\ufffe'), '⟨U+D800⟩x⟨U+FFFE⟩')
  t.equal(shown('a\tb\n漢 😀 می\u200cخواهم'), 'a\tb\n漢 😀 می\u200cخواهم')
})

t.test('no text becomes markup', async () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const { html: escaped } = html`${text}`
      return !/[<>"'\p{Cs}]/u.test(escaped) && !/&(?!#\d+;)/.test(escaped)
    }),
  )
})
