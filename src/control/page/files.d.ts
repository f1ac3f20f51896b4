/**
 * What the page consists of, by the name under which a browser asks for it: `page.html`, `style.css` and the programs
 * of `browser/`. The build puts these files into a module of this name, so that a server reads none of them.
 */
export const FILES: Readonly<Record<string, string>>

/** What runs in the page that refuses: `browser/sign-in.ts`, compiled. */
export const SIGN_IN: string
