/** How often a race is run: the first time requests wait for their connections, and so come one after another. */
const ROUNDS = 3

/** Does what should happen at once several times over, one after the other. */
export async function inRounds(round: () => Promise<void>): Promise<void> {
  for (let run = 0; run < ROUNDS; run++) await round()
}
