import { escapeAttribute, escapeText } from '../atom/escape.js'
import { joined, type Written } from '../platform/bytes.js'
import { STYLE } from './style.js'

/** Media type of every page. */
export const PAGE_TYPE = 'text/html;charset=utf-8'

/**
 * What a browser may do with a page that shows names and bodies of anybody's making: apply the style in it, follow
 * links, and nothing else.
 */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
}

/** A piece of HTML, as opposed to text that still must be escaped. */
export interface Html {
  readonly html: string
}

/** What stands in a table or a list: text, or HTML made here. */
export type Cell = string | number | Html

/** What a page shows. */
export interface PageParts {
  readonly title: string
  /** Facts about the whole, name by name. */
  readonly facts: readonly (readonly [name: string, value: Cell])[]
  readonly columns: readonly string[]
  /** As {@link row} writes them, in parts. */
  readonly rows: readonly Written[]
  /** Said where there are no rows. */
  readonly empty: string
  /** Address of the next page. */
  readonly next: string | undefined
  /** Where a program reads the same as Atom. */
  readonly feed: string
}

/** A link; the address is one that this server made. */
export function link(href: string, text: string): Html {
  return { html: `<a href="${escapeAttribute(href)}">${escapeText(text)}</a>` }
}

/** Text with its line ends and spaces. */
export function preformatted(text: string): Html {
  return { html: `<pre>${escapeText(text)}</pre>` }
}

/** One row of a page's table. */
export function row(cells: readonly Cell[]): string {
  return `<tr>${cells.map((value) => `<td>${cell(value)}</td>`).join('')}</tr>\n`
}

/** A small page that needs nothing but itself. */
export function page({ title, facts, columns, rows, empty, next, feed }: PageParts): Written {
  const facing = facts
    .map(([name, value]) => `<dt>${escapeText(name)}</dt><dd>${cell(value)}</dd>\n`)
    .join('')
  const head = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeText(title)}</title>
<link rel="alternate" type="application/atom+xml" title="${escapeAttribute(title)}" href="${escapeAttribute(feed)}">
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeText(title)}</h1>
${facing === '' ? '' : `<dl>\n${facing}</dl>\n`}`
  const behind =
    next === undefined ? '' : `<p><a rel="next" href="${escapeAttribute(next)}">Next page</a></p>\n`
  const shown = rows.length === 0 ? [`<p>${escapeText(empty)}</p>\n`] : table(columns, rows)
  return joined([head, ...shown, `${behind}</main>\n</body>\n</html>\n`])
}

function table(columns: readonly string[], rows: PageParts['rows']): Written[] {
  const head = columns.map((column) => `<th scope="col">${escapeText(column)}</th>`).join('')
  return [
    `<div class="scroll">\n<table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n`,
    ...rows,
    '</tbody>\n</table>\n</div>\n',
  ]
}

function cell(value: Cell): string {
  return typeof value === 'object' ? value.html : escapeText(String(value))
}
