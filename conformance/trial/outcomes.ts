/** For `trial.never`: what was found, or undefined where nothing was. */
export function found<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list
}

/** For `trial.eventually`: true, or undefined to ask again. */
export function once(holds: boolean): true | undefined {
  return holds ? true : undefined
}
