// The build puts the program that draws lanes beside these, as the reports of the kit and the playground have it.

/** A picture of lanes as HTML in which every text is escaped; each moment is a `[data-moment]`. */
export function lanesPicture(
  moments: readonly object[],
  options: { readonly width?: number; readonly label: string },
): string
