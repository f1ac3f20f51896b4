import { createHash } from 'node:crypto'
import { SCRIPT, STYLE } from './files.js'
import { html, Markup, type Part } from './markup.js'

/**
 * A page that is whole in itself: it asks for nothing, sends nothing, and runs no script and applies no style but the
 * ones it was made with, whatever a target has answered.
 */
export function page(title: string, body: readonly Part[]): string {
  const policy = [
    "default-src 'none'",
    `style-src ${hash(STYLE)}`,
    `script-src ${hash(SCRIPT)}`,
    // An empty icon, so that a browser does not ask a server for one.
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${new Markup(STYLE)}</style>
</head>
<body>
${body}
<script>${new Markup(SCRIPT)}</script>
</body>
</html>
`.html
}

function hash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
