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

/** A part of a page, under a heading of its own. @param isTarget whether a link from the page's beginning leads there */
export function section(id: string, heading: string, content: Part, isTarget = false): Markup {
  return html`<section aria-labelledby="${id}">
<h2 id="${id}"${isTarget ? html` tabindex="-1"` : ''}>${heading}</h2>
${content}</section>
`
}

/** Facts, each with its name. */
export function factList(facts: readonly (readonly [name: string, fact: Part])[]): Markup {
  return html`<dl class="facts">
${facts.map(([name, fact]) => html`<dt>${name}</dt> <dd>${fact}</dd>\n`)}</dl>
`
}

function hash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
