import t from 'tap'
import { fakeBroker } from '../../trial/fake-broker.test.helper.js'
import { outcomeAt } from '../alternatives.test.helper.js'
import { HTTP_MALFORMED } from './malformed.js'

t.test('a 5xx is told with the malformed request that made it, also where it stays', async (t) => {
  const seenWhere = async (isBroken: (type: string) => boolean, stays: boolean) => {
    await using broker = await fakeBroker()
    let broken: string | undefined
    broker.intercept = ({ method, path, headers }) => {
      const type = headers['content-type'] ?? ''
      if (method === 'POST' && isBroken(type)) {
        if (!stays) return { status: 500 }
        broken = path
        return { status: 400 }
      }
      return stays && method === 'GET' && path === broken ? { status: 500 } : undefined
    }
    return await outcomeAt(broker, HTTP_MALFORMED, 'http.malformed-requests')
  }
  t.equal(await seenWhere(() => false, false), undefined)
  const isList = (type: string) => type === 'text/uri-list'
  t.match(await seenWhere(isList, false), { seen: '500 for a list of no addresses' })
  t.match(await seenWhere(isList, true), { seen: '500 for the subscription after a list of no addresses' })
})
