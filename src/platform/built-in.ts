/**
 * A module of the platform itself, where it is one that has such modules: Node, and those that are like it. It is asked for
 * while the program runs, so that a browser need not know the name of it.
 *
 * @returns undefined elsewhere, as in a browser
 */
export function builtIn<Name extends 'node:crypto' | 'node:vm'>(name: Name): Modules[Name] | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: Name): Modules[Name] } }
  return process?.getBuiltinModule?.(name)
}

interface Modules {
  'node:crypto': typeof import('node:crypto')
  'node:vm': typeof import('node:vm')
}
