import { SERVICE_TYPE } from '../../atom/names.js'
import { serviceDocument } from '../../atom/service.js'
import type { Reply } from '../../http/exchange.js'
import type { MappingContext } from '../context.js'

/** The service document (`chosen`): how an Atom client finds the two collections. */
export function readService({ links }: MappingContext): Reply {
  return {
    status: 200,
    headers: { 'Content-Type': SERVICE_TYPE, 'Cache-Control': 'no-cache' },
    body: serviceDocument(links),
  }
}
