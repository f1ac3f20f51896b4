import { checksOf } from '../row-check.js'

/** That bodies arrive as they were sent, one check for each way in which a server may spoil one. What a server takes is left open. */
export const SEND_BODY_ROWS = checksOf(String.raw`
send.body-text: send.body.text send.step-2.status
  create a; create b; send n1 to b
  ! send m1 to a body "Hello, {14}: 1 + 1 = 2; 100 %!"
  subscribe A to a; read A

send.body-crlf: send.body.crlf send.step-2.status
  create a; create b; send n1 to b
  ! send m1 to a body "{14}\r\nsecond\rthird\nfourth\r\n"
  subscribe A to a; read A

send.body-whitespace: send.body.whitespace send.step-2.status
  create a; create b; send n1 to b
  ! send m1 to a body "\n\n \t {14}  two  spaces\t\ttabs\n\n\n"
  subscribe A to a; read A

send.body-space-only: send.body.whitespace answers 2xx or 4xx as body-space-only
  create a; create b; send n1 to b
  ! send m1 to a with Content-Type: text/plain body "   \n"
  subscribe A to a; read A

send.body-unicode: send.body.unicode send.step-2.status
  create a; create b; send n1 to b
  ! send m1 to a body "é e\u0301 ß Ω ж 漢字 עברית \ud83e\udd8a\ud834\udd1e \u0085\u2028\u2029\u00a0\u00ad\u200b\ufeff {14}"
  subscribe A to a; read A

send.body-control: send.body.text answers 2xx or 4xx as body-control
  create a; create b; send n1 to b
  ! send m1 to a with Content-Type: text/plain body "{14} \u0001\b\u000b\u001b[1m\u007f \ufffe\uffff"
  subscribe A to a; read A

send.body-number: send.body.text answers 2xx or 4xx as body-number
  create a; create b; send n1 to b
  ! send m1 to a with Content-Type: text/plain body 007.10
  subscribe A to a; read A

send.body-null: send.body.text answers 2xx or 4xx as body-null
  create a; create b; send n1 to b
  ! send m1 to a with Content-Type: text/plain body null
  subscribe A to a; read A

send.body-html: send.body.markup answers 2xx or 4xx as body-html
  create a; create b; send n1 to b
  ! send m1 to a with Content-Type: "text/html; charset=utf-8" body "<!DOCTYPE html>\n<p>{14}<br>&eacute;<script>if (1 < 2) run()</script><!-- c -->"
  subscribe A to a; read A

send.body-multipart: send.body.form answers 2xx or 4xx as body-multipart
  create a; create b; send n1 to b
  ! send m1 to a with Content-Type: "multipart/form-data; boundary=part" body "--part\r\nContent-Disposition: form-data; name=\"body\"\r\n\r\n{14}\r\n--part\r\nContent-Disposition: form-data; name=\"guid\"\r\n\r\ng\r\n--part--\r\n"
  subscribe A to a; read A

send.body-looks: send.body.text answers 2xx or 4xx as bodies-that-look-like-something-else
  create a
  ! send m1 to a with Content-Type: "text/plain; charset=utf-8" body "\"{14}\""
  ! send m2 to a with Content-Type: "text/plain; charset=utf-8" body "00700700"
  ! send m3 to a with Content-Type: "text/plain; charset=utf-8" body "-1.50e300"
  ! send m4 to a with Content-Type: "text/plain; charset=utf-8" body "http://x.test/{14} b?q=%20#é"
  ! send m5 to a with Content-Type: "text/plain; charset=utf-8" body "\u202e{14}\u200e\u2066b\u2069"
  ! send m6 to a with Content-Type: "text/plain; charset=utf-8" body "{14}%0A%0D%00%u0041"
  ! send m7 to a with Content-Type: "text/plain; charset=utf-8" body "b={14}&a=2&a=1&c="
  ! send m8 to a with Content-Type: "text/plain; charset=utf-8" body "{14}\n.\n..\n.b\n"
  ! send m9 to a with Content-Type: "text/plain; charset=utf-8" body "[ 1,  \"{14}\" ]"
  ! send m10 to a with Content-Type: "text/plain; charset=utf-8" body "undefined"
  ! send m11 to a with Content-Type: "text/plain; charset=utf-8" body "\u007b \"b\": \"{14}\", \"a\": 1 }"
  ! send m12 to a with Content-Type: "text/plain; charset=utf-8" body "'{14}'"
  ! send m14 to a with Content-Type: "text/plain; charset=utf-8" body "---\n- {14}\n"
  ! send m15 to a with Content-Type: "text/plain; charset=utf-8" body "100 %% <%= 1 + 1 %> :x: password={14}"
  ! send m16 to a with Content-Type: "text/csv; charset=utf-8" body "a, b\r\n{14},\"c\"\r\n"
  ! send m17 to a with Content-Type: application/problem+json body "\u007b \"b\": 1.0, \"a\": \"{14}\" }\n"
  ! send m18 to a with Content-Type: "text/plain; charset=utf-8" body "1_0000000"
  ! send m13 to a with Content-Type: application/xml body "<?xml version=\"1.0\"?>\n<a>{14}</a>\n"
  subscribe A to a; read A; ack A each; read A

send.body-markup: send.body.markup send.step-2.status
  create a; create b; send n1 to b
  ! send m1 to a body "<?xml version=\"1.0\"?>\n<a b='c' d=\"{14}\">&amp; &lt;<![CDATA[ ]]>]]&gt; & < ></a>"
  subscribe A to a; read A

send.body-encoded-look: send.body.text send.step-2.status
  create a; create b; send n1 to b
  ! send m1 to a body "a2l0ICU0MSslMjAmIzY1O1x1MDA0MQ=="
  subscribe A to a; read A

send.body-escapes: send.body.text send.step-2.status
  create a; create b; send n1 to b
  ! send m1 to a body "{14} %41%20a+b=c&d=%zz \\n\\u0041 \\\\ '' \"\" \\' &#65;&nbsp; $\u007b0} {{0}} $$ $& $1"
  subscribe A to a; read A

send.body-dots: send.body.text send.step-2.status
  create a; create b; send n1 to b
  ! send m1 to a body "{14}\r\n.\r\n..\r\n..a\r\nFrom b\r\n."
  subscribe A to a; read A

send.body-form: send.body.form answers 2xx or 4xx as body-form
  create a; create b; send n1 to b
  ! send m1 to a with Content-Type: application/x-www-form-urlencoded body "guid={14}&a=b+c&a=%41%2B&=&d"
  subscribe A to a; read A

send.body-json: send.body.binary answers 2xx or 4xx as body-json
  create a; create b; send n1 to b
  ! send m1 to a with Content-Type: application/json body "{ \"a\":1.0,  \"a\":12345678901234567890,\"b\":\"\\u00e9 {14}\"}\r\n"
  subscribe A to a; read A

send.body-binary: send.body.binary answers 2xx or 4xx as body-binary
  create a; create b; send n1 to b
  ! send m1 to a every byte
  subscribe A to a; read A

send.body-nul: send.body.binary answers 2xx or 4xx as body-nul
  create a; create b; send n1 to b
  ! send m1 to a bytes "\u0000{14}\u0000\u0000a\u0000"
  subscribe A to a; read A

send.body-not-utf-8: send.body.binary answers 2xx or 4xx as body-not-utf-8
  create a; create b; send n1 to b
  ! send m1 to a with Content-Type: "text/plain; charset=iso-8859-1" bytes "{14} caf\u00e9 \u00fcber \u00ff"
  subscribe A to a; read A

send.body-large: send.body.large answers 2xx or 4xx as body-large
  create a; create b; send n1 to b
  ! send m1 to a size 100k
  subscribe A to a; read A

send.body-large-binary: send.body.large answers 2xx or 4xx as body-large-binary
  create a; create b; send n1 to b
  ! send m1 to a every byte size 100k
  subscribe A to a; read A

send.body-mebibyte: send.body.mebibyte answers 2xx or 4xx as body-mebibyte
  create a; create b; send n1 to b
  ! send m1 to a size 1m
  subscribe A to a; read A; ack A m1; browse a

send.body-above-mebibyte: send.body.mebibyte answers 2xx or 4xx as body-above-mebibyte
  create a; create b; send n1 to b
  ! send m1 to a size 1028k
  ! send m2 to a size 2300k
  subscribe A to a; read A

send.body-empty: send.body.empty consume.delivered browse.queue.entries answers 2xx or 4xx as body-empty
  create a; create b; send n1 to b
  ! send m1 to a empty
  browse a; subscribe A to a; read A

send.body-lengths: send.body.text answers 2xx or 4xx as body-lengths
  create a
  ! send m1 to a size 255
  ! send m2 to a size 256
  ! send m3 to a size 1k
  ! send m4 to a size 4095
  ! send m5 to a size 4k
  ! send m6 to a size 8k
  ! send m7 to a size 16k
  ! send m8 to a size 65535
  ! send m9 to a size 64k
  ! send m10 to a size 70000
  ! send m11 to a size 80000
  ! send m12 to a with Content-Type: application/json size 140000
  subscribe A to a; read A; ack A each; read A

send.body-refused-for-its-length: send.step-2.one-message consume.delivered answers 2xx or 4xx as body-refused-for-its-length
  create a; address m1 at a
  ! post m1 size 1028k
  ! repeat m1
  ! repeat m1 changed
  subscribe A to a; read A

send.address-takes-one-message: send.two-step.repeat.keeps send.step-2.one-message send.two-step.repeat browse.queue.entries answers 2xx or 4xx as other-message-at-a-used-address
  create a; send m1 m2 m4 m5 to a; send m3 to a size 200; browse a
  ! repeat m1 changed
  ! repeat m2 changed size 200
  ! repeat m3 changed
  ! repeat m4 changed empty
  ! repeat m5 retyped
  browse a

send.repeat-of-odd-bodies: send.two-step.repeat send.two-step.repeat.status send.step-2.one-message browse.queue.entries answers 2xx or 4xx as repeated-odd-bodies
  create a
  ! send m1 to a empty
  ! repeat m1
  ! repeat m1
  browse a
  or
  create a
  ! send m1 to a with Content-Type: text/plain body 0
  ! repeat m1
  ! repeat m1
  browse a
  or
  create a
  ! send m1 to a size 100k
  ! repeat m1
  ! repeat m1
  browse a
`)
