import { SERVICE_TYPE } from '../../atom/names.js'
import { serviceDocument } from '../../atom/service.js'
import { conditionalReply, hashETag } from '../../http/conditional.js'
import type { TargetState } from '../../http/preconditions.js'
import { type Act, linksOf } from '../context.js'

/** The service document (`chosen`): how an Atom client finds the two collections. */
// clause: http.service-document
export const readService: Act = (context, request) => {
  const document = serviceDocument(linksOf(context, request))
  const headers = { 'Content-Type': SERVICE_TYPE, 'Cache-Control': 'no-cache' }
  return conditionalReply(request, hashETag(document), headers, () => document)
}

/** What stands at the base URL, for preconditions. */
export const stateOfService: Act<TargetState> = (context, request) => {
  return { etags: [hashETag(serviceDocument(linksOf(context, request)))] }
}
