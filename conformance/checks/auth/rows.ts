import { checksOf } from '../row-check.js'

/** Who may not read a feed may not read it later either. */
export const AUTH_ROWS = checksOf(`
auth.feed-after-an-ack: auth.feed.anonymous
  create a; send m1 m2 m3 to a; subscribe A to a; read A
  ack A m1; read A; read A; read A; read A; read A; read A
  ! as nobody: read A

auth.feed-after-an-ack-of-another: auth.feed.other
  create a; send m1 m2 m3 to a; subscribe A to a; read A
  ack A m1; read A; read A; read A; read A; read A; read A
  ! as another: read A

auth.feed-of-what-was-handed-over: auth.feed.other auth.feed.anonymous
  create a; send m1 m2 to a; subscribe A to a; read A; subscribe B to a; end A; read B
  ! as another: read B; as nobody: read B

auth.feed-of-a-full-consumer: auth.feed.other auth.feed.anonymous
  create a; send m1..m4 to a; subscribe A to a prefetch 2; read A
  ! as another: read A; as nobody: read A
  ack A 1st; read A; as another: read A

auth.feed-late: auth.feed.other auth.feed.anonymous
  create a; send m1 m2 to a; subscribe A to a prefetch 1; read A
  wait late
  ! as nobody: read A; as another: read A

auth.feed-beside-a-subscription: auth.feed.other
  create a; send m1 to a; subscribe A to a; read A
  as another: subscribe B to a
  ! as another: read A

auth.no-lease: auth.no-lease lease.expiry.hands-over
  create a; send m1 m2 to a; subscribe A to a; read A; subscribe B to a
  ! wait part of A; as nobody: read A; as another: read A; read B
  wait part of A; as nobody: read A; as another: read A; read B
  wait part of A; as nobody: read A; as another: read A; read B
  wait part of A; as nobody: read A; as another: read A; read B
  wait end of A; read B

auth.challenge: auth.challenge answers 401 with WWW-Authenticate as challenge
  create a; send m1 to a; subscribe A to a; read A
  ! as nobody: read A
`)
