import { checksOf } from '../row-check.js'

/** Requests of which the document says nothing, and how each is answered. */
export const HTTP_ROWS = checksOf(String.raw`
http.not-found: http.not-found answers 404 as path-outside-the-interface
  create a; browse a
  ! request GET /{20}

http.not-acceptable: http.not-acceptable answers 200 as feed-not-acceptable
  create a; browse a
  ! request GET a with Accept: image/png
  ! request GET a with Accept: "application/json;q=1, */*;q=0"
  ! request GET a with Accept: "/;;q=x"

http.expectation: http.expectation answers 417 as unknown-expectation
  create a; browse a
  ! request GET a with Expect: kit=1

http.host: http.host answers 421 as unknown-host
  create a; browse a
  ! request GET a with Host: somewhere-else.invalid

http.unknown-method: http.unknown-method answers 405 or 501 as unknown-method
  create a; browse a
  ! request BREW a

http.method-not-allowed: http.method answers 405 with Allow: POST as PUT-of-subscriptions
  create a; subscribe A to a
  ! request PUT /subscriptions

http.method-not-allowed-at-an-address: http.method answers 405 with Allow: POST as GET-of-new-message-address
  create a; address m1 at a
  ! request GET address m1

http.method-not-allowed-at-a-message: http.method answers 405 with Allow: DELETE as POST-of-message
  create a; send m1 to a; subscribe A to a; read A
  ! request POST A m1

http.options: http.options answers 2xx with Allow: GET POST as OPTIONS-of-queues
  create a; browse a
  ! request OPTIONS /queues

http.options-of-a-queue: http.options answers 2xx with Allow: GET POST DELETE as OPTIONS-of-queue
  create a; browse a
  ! request OPTIONS a

http.options-of-a-subscription: http.options answers 2xx with Allow: GET DELETE as OPTIONS-of-subscription
  create a; subscribe A to a; read A
  ! request OPTIONS A

http.options-of-a-message: http.options answers 2xx with Allow: DELETE as OPTIONS-of-message
  create a; send m1 to a; subscribe A to a; read A
  ! request OPTIONS A m1

http.preconditions: http.preconditions consume.repeat browse.pending.held answers 412 as preconditions-that-do-not-hold
  create a; send m1 to a; subscribe A to a; read A; browse a
  ! request DELETE A m1 with If-Match: "\"kit\""
  ! request DELETE A m1 with If-None-Match: *
  ! request DELETE A with If-Match: "\"kit\""
  ! request DELETE A with If-None-Match: *
  ! request DELETE a with If-Match: "\"kit\""
  ! request DELETE a with If-None-Match: *
  ! request GET /queues with If-Match: "\"kit\""
  read A; browse a

http.preconditions-that-hold: http.preconditions answers 2xx as precondition-that-holds
  create a; send m1 to a; subscribe A to a; read A
  ! request DELETE A m1 with If-Match: *

http.limit-message: http.limit.message answers 413 as message-above-1-MiB
  create a; send m1 to a; address m2 at a
  ! post m2 size 1048577

http.limit-message-fits: http.limit.message answers 200 as message-of-1-MiB
  create a; send m1 to a; address m2 at a
  ! post m2 size 1m

http.limit-target: http.limit.target answers 414 as request-target-of-9-KiB
  create a; browse a
  ! request GET a ?x={9216}

http.limit-headers: http.limit.headers answers 431 as headers-of-80-KiB
  create a; browse a
  ! request GET a with X-Kit: {81920}
`)
