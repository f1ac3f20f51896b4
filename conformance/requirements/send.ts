import { clauses } from './clause.js'

/** Sending in two steps. */
export const SEND = [
  ...clauses('2', 'stated', {
    'send.address.own': 'Each step 1 of a send gives a new-message address of its own.',
  }),
  ...clauses('4.1', 'stated', {
    'send.step-1.status': "A POST to a queue's address is answered with 201.",
    'send.step-1.location': 'The answer to step 1 carries the new-message address in `Location`.',
    'send.step-1.no-message': 'Step 1 creates no message.',
    'send.step-2.status': 'A POST of the message to its new-message address is answered with 200.',
    'send.step-2.one-message': 'Step 2 puts exactly one message into the queue of step 1.',
    'send.step-2.broken-off':
      'A step 2 whose connection ends before the whole message came stores nothing, and its repeat makes the message.',
    'send.step-2.unanswered':
      'A step 2 whose client goes away before the answer, and its repeats until one is answered, make one message.',
    'send.two-step.repeat': 'Repeating step 2 before the message was delivered makes no second message.',
    'send.two-step.repeat.held':
      'Repeating step 2 while a consumer holds the message makes no second message.',
    'send.two-step.repeat.acknowledged':
      'Repeating step 2 after the message was acknowledged makes no second message.',
    'send.two-step.repeat.parallel': 'Several posts to one new-message address at once make one message.',
    'send.two-step.repeat.remembered':
      'Repeating step 2 makes no second message however many other addresses were used meanwhile.',
    'send.two-step.repeat.late': 'Repeating step 2 after the length of a lease makes no second message.',
    'send.two-step.repeat.keeps':
      'A new-message address makes one message, whatever is posted there afterwards.',
    'send.two-step.repeat.outlives-queue':
      'Repeating step 2 of an acknowledged message puts nothing into a queue made again under the name of a deleted one.',
    'send.two-step.repeat.status':
      'A repeat of step 2 is answered with 200, however far its message has come.',
    'send.two-step.same-body':
      'Two new-message addresses to which the same body is posted make two messages.',
    'send.two-step.without-guid': 'A POST to a queue without a guid begins the two-step exchange.',
    'send.client-repeats': {
      text: 'A client repeats step 2 until it receives 200.',
      unchecked: 'It binds the client; a server is checked by what the repeats do.',
    },
    'send.body.text': 'A text reaches its consumer as it was sent.',
    'send.body.form':
      'A body that is form data reaches its consumer as it was sent where the server accepts it.',
    'send.body.whitespace':
      'Space and line breaks at the beginning, inside and at the end of a text reach its consumer as they were sent.',
    'send.body.crlf': 'A carriage return in a text reaches its consumer as it was sent.',
    'send.body.unicode': 'Characters beyond ASCII in a text reach its consumer as they were sent.',
    'send.body.markup': 'Markup characters in a text reach its consumer as they were sent.',
    'send.body.binary':
      'A body of any bytes, NUL included, reaches its consumer byte for byte where the server accepts it.',
    'send.body.chunked':
      'A message whose request is sent in chunks reaches its consumer as any other, where such a request is accepted.',
    'send.body.continued':
      'A message whose client asks whether to go on before it sends the body reaches its consumer whole, where such a request is accepted.',
    'send.body.empty': 'A message with an empty body is a message where the server accepts it.',
    'send.body.large': 'A message of 100 KiB reaches its consumer whole where the server accepts it.',
    'send.body.mebibyte': 'A message of 1 MiB reaches its consumer whole where the server accepts it.',
    'send.message-form': {
      text: 'The fields and the content type of a message body are left open.',
      unchecked: 'Nothing is asked of a server; what it accepts is observed.',
    },
  }),
  ...clauses('4.1', 'chosen', {
    'send.step-1.body': 'A step 1 that carries a body is refused with 400, and stores nothing.',
    'send.unknown-queue': 'Sending to a queue that does not exist is refused with 404.',
    'send.content-type':
      'The `Content-Type`, `Content-Encoding` and `Content-Language` of a message come back with its raw body.',
    'send.properties':
      "A request header `Property-<name>` becomes the message's property of that name, without regard to case and with `-` read as `_`.",
    'send.two-step.repeat.other-body': 'A repeat of step 2 with another body leaves the message as it was.',
    'send.two-step.repeat.replayed':
      'The answer to a repeat of a send bears `Idempotent-Replayed: true`, and that to the first does not.',
    'send.address.unknown': 'A post to a new-message address that was never issued is refused with 404.',
    'send.address.queue-deleted':
      'A post to an unused new-message address whose queue was deleted is refused with 410.',
    'send.address.expired': {
      text: 'A post to a new-message address that stayed unused for an hour is refused with 410.',
      unchecked: 'An outsider would have to wait an hour.',
    },
  }),
]
