/** What the checks of a run find out of their target as a whole, which the document leaves open. */
export class RunMemory {
  /** Relations of links that have led to a message's own bytes. */
  readonly proven = new Set<string>()
  readonly #answers = new Map<string, Promise<boolean>>()

  /** What `ask` gives, the first time in a run; what could not be found out is asked again. */
  async once(question: string, ask: () => Promise<boolean>): Promise<boolean> {
    for (let asked = this.#answers.get(question); asked; asked = this.#answers.get(question)) {
      try {
        return await asked
      } catch {
        // The check that asked may have been ended meanwhile.
        if (this.#answers.get(question) === asked) this.#answers.delete(question)
      }
    }
    const answer = ask()
    this.#answers.set(question, answer)
    return answer
  }
}
