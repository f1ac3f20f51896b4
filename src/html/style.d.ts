/** The style of a feed as a page: `shared.css` and `feed.css`, which the build puts into a module of this name. */
export const STYLE: string
