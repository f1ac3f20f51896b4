import { PROPERTY_NAME, PROPERTY_VALUE } from '../input/read.js'

/**
 * What a seed file is, as JSON Schema (draft 2020-12).
 *
 * @example
 * ```ts
 * SEED_SCHEMA.$id    // 'urn:atom-mq:schema:seed'
 * ```
 */
export const SEED_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:atom-mq:schema:seed',
  title: 'Queues and messages that a server begins with',
  type: 'object',
  additionalProperties: false,
  properties: {
    queues: {
      description: 'Names of queues, dotted or with slashes.',
      type: 'array',
      items: { type: 'string', minLength: 1 },
    },
    messages: {
      description: 'Messages, sent in this order.',
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['queue'],
        not: { required: ['body', 'bodyBase64'] },
        properties: {
          queue: { description: 'Name of one of the queues.', type: 'string', minLength: 1 },
          body: { description: 'The message as text, sent as UTF-8; empty unless given.', type: 'string' },
          bodyBase64: {
            description: 'The message as bytes, in base64.',
            type: 'string',
            pattern: '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
          },
          contentType: {
            description: 'Media type, as in Content-Type.',
            type: 'string',
            pattern: '^[!-~](?:[ -~]*[!-~])?$',
          },
          contentEncoding: { description: 'As in Content-Encoding.', type: 'string', pattern: '^[!-~]+$' },
          contentLanguage: {
            description: 'As in Content-Language.',
            type: 'string',
            pattern: '^[!-~](?:[ -~]*[!-~])?$',
          },
          properties: {
            description: 'Application properties; a hyphen in a name reads as an underscore.',
            type: 'object',
            maxProperties: 64,
            propertyNames: { pattern: PROPERTY_NAME.source },
            additionalProperties: { type: 'string', pattern: PROPERTY_VALUE.source },
          },
          guid: {
            description: 'Unique id, as in ?guid=; a later send with it is ignored.',
            type: 'string',
            minLength: 1,
            maxLength: 255,
          },
        },
      },
    },
  },
} as const
