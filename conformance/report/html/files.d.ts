/** The style of both pages: what all pages share, and `report.css`. The build puts it into a module of this name. */
export const STYLE: string

/** What runs in both pages: `browser/report.ts`, compiled. */
export const SCRIPT: string
