export const KIT = 'atom-mq-conformance'
