import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that a test's server got, with its body. */
export interface Got {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/** What a test's server answers; undefined leaves the response to the handler itself. */
export interface Reply {
  readonly status?: number
  readonly headers?: Record<string, string | string[]>
  readonly body?: string | Uint8Array
}

export interface Served extends AsyncDisposable {
  readonly url: string
  readonly got: Got[]
}

/** A server on loopback that answers as a test says, and is gone at the end of the test's block. */
export async function serve(
  answer: (got: Got, response: ServerResponse) => Reply | undefined | Promise<Reply | undefined>,
): Promise<Served> {
  const got: Got[] = []
  // What a test keeps open stays open, however long a busy machine lets it wait.
  const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer)
    } catch {
      // Its client has left before it had sent all.
      return
    }
    const { method = '', url: path = '', headers } = request
    const one = { method, path, headers, body: Buffer.concat(chunks) }
    got.push(one)
    const reply = await answer(one, response)
    if (reply) response.writeHead(reply.status ?? 200, reply.headers ?? {}).end(reply.body ?? '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    got,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
