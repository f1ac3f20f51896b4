import { checksOf } from '../row-check.js'

/** Subscriptions: made, told apart and deleted; what their destinations, wildcards and selectors cover. */
export const SUBSCRIBE_ROWS = checksOf(`
subscribe.create: subscribe.status subscribe.location subscribe.form
  create a
  ! subscribe A to a

subscribe.own-address: subscribe.own-address subscribe.own-feed consume.status
  create a; subscribe A to a
  ! subscribe B to a
  read A; read B

subscribe.several-destinations: subscribe.several subscribe.destinations consume.delivered
  create z; send z1 to z; subscribe Z to z; read Z
  create a; create b; create c; send m1 to a; send m2 to b; send m3 to c
  subscribe A to a,b,c; send m4 to a; send m5 to b; send m6 to c
  ! read A

subscribe.twelve-destinations: subscribe.several consume.delivered
  create a; create b; create c; create d; create e; create f
  create g; create h; create i; create j; create k; create l
  subscribe A to a,b,c,d,e,f,g,h,i,j,k,l
  ! send m1 to a; send m2 to b; send m3 to c; send m4 to d; send m5 to e; send m6 to f
  read A; ack A each
  send m7 to g; send m8 to h; send m9 to i; send m10 to j; send m11 to k; send m12 to l
  read A; ack A each

subscribe.twenty-four-destinations: subscribe.several consume.delivered answers 2xx or 4xx as twenty-four-destinations
  create a; create b; create c; create d; create e; create f; create g; create h; create i; create j; create k; create l
  create m; create n; create o; create p; create q; create r; create s; create t; create u; create v; create w; create x
  ! subscribe A to a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x
  send m1 to m; send m2 to n; send m3 to o; send m4 to q; send m5 to u; send m6 to x; read A

subscribe.to-any-characters: subscribe.destinations queues.name.unicode consume.delivered answers 2xx or 4xx as destination-of-any-characters
  create a
  ! create "a/é"; subscribe A to "a/é"
  send m1 to "a/é"; read A; browse "a/é"
  or
  create a
  ! create "a/漢 🦊"; subscribe A to "a/漢 🦊"
  send m1 to "a/漢 🦊"; read A; browse "a/漢 🦊"
  or
  create a
  ! create "a/b+(c[.d"; subscribe A to "a/b+(c[.d"
  send m1 to "a/b+(c[.d"; read A; browse "a/b+(c[.d"

subscribe.same-destination-twice: consume.entries subscribe.destinations.overlap send.step-2.one-message
  create a; subscribe A to a,a; send m1 to a
  ! read A; read A
  ack A each; read A

subscribe.delete: subscribe.delete.status
  create a; subscribe A to a
  ! end A

subscribe.deleted-unreadable: subscribe.delete.unreadable
  create a; send m1..m10 to a; subscribe A to a; read A
  end A
  ! read A

subscribe.deleted-empty-unreadable: subscribe.delete.unreadable consume.delivered
  create a; subscribe A to a; read A
  end A
  ! read A
  send m1 to a; read A; subscribe B to a; read B

subscribe.delete-spares-others: subscribe.delete.others consume.status consume.repeat consume.delivered
  create a; create b; create c; send m1 m2 to a; address m3 at b
  subscribe A to a,b; subscribe B to c,b; subscribe C to c,b; read A
  end C
  ! read A; read B
  end B; post m3; read A

subscribe.wildcard-of-a-queue-with-others-below: subscribe.wildcard consume.delivered
  create a/b; create a/b/c; send m1 to a/b; subscribe A to a/*
  ! read A

subscribe.wildcard: subscribe.wildcard consume.delivered
  create z; send z1 to z; subscribe Z to z; read Z
  create a/b; create a/c; create a/d; send m1 to a/b; send m2 to a/c; send m3 to a/d
  subscribe A to a/*; send m4 to a/c
  ! read A

subscribe.wildcard-acknowledged: subscribe.wildcard ack.status ack.leaves-feed ack.leaves-queue ack.final.same browse.pending.acknowledged
  create a/b; create a/c; send m1 to a/b; send m2 to a/c; subscribe A to a/*; read A
  ! ack A each; read A; browse a/b; browse a/c
  end A; browse a/b; browse a/c

subscribe.wildcard-later-queue: subscribe.wildcard.later subscribe.wildcard consume.delivered
  create a/b; send m1 to a/b; subscribe A to a/*; read A; ack A m1
  ! create a/c; send m2 to a/c; read A; ack A m2
  create a/d; send m3 to a/d; read A; ack A m3
  create a/e; send m4 to a/e; read A; ack A m4
  delete a/c; create a/c; send m5 to a/c; read A

subscribe.wildcard-later-queue-below: subscribe.wildcard.later subscribe.wildcard consume.delivered
  create a/b/c; send m1 to a/b/c; subscribe A to a/b/*; read A
  ! create a/b/d; send m2 to a/b/d; read A

subscribe.wildcard-only-matching: subscribe.wildcard.only subscribe.destinations.only
  create a/b; create ax/b; create b/b; create axe; send n1 to ax/b; send n2 to b/b
  subscribe A to a/*; send n3 to ax/b; send n4 to b/b; send n5 to axe; send m1 to a/b
  ! read A; read A

subscribe.wildcard-beside-names: subscribe.wildcard consume.exactly-one
  create a/b; send m1 to a/b; subscribe A to a/*; subscribe B to a/b; send m2..m7 to a/b
  ! read A; read B; read A
  or
  create a/b; send m1 m2 to a/b; subscribe A to a/b; read A; subscribe B to a/*
  ! read B; read A; end A; read B

subscribe.wildcard-beside-a-full-one: subscribe.destinations consume.delivered consume.exactly-one
  create a/b; subscribe A to a/* prefetch 1; subscribe B to a/b; send m1 to a/b; read A
  ! send m2 to a/b; read B; read A

subscribe.eight-consumers: consume.delivered subscribe.destinations consume.exactly-one
  create a; subscribe A to a prefetch 1; subscribe B to a prefetch 1; subscribe C to a prefetch 1; subscribe D to a prefetch 1
  subscribe E to a prefetch 1; subscribe F to a prefetch 1; subscribe G to a prefetch 1; subscribe H to a prefetch 1
  ! send m1..m8 to a; read A; read B; read C; read D; read E; read F; read G; read H

subscribe.kept-late: subscribe.destinations consume.delivered lease.active consume.exactly-one consume.repeat
  create a; subscribe A to a; read A; create b; subscribe B to b; send m2 m3 to b; read B
  wait late
  ! send m1 to a; read A; subscribe C to b; read C; read B

subscribe.wildcard-kept-late: subscribe.wildcard subscribe.wildcard.later consume.delivered
  create a/b; subscribe A to a/*; read A
  wait late
  ! send m1 to a/b; create a/c; send m2 to a/c; read A

subscribe.wildcard-of-many: subscribe.wildcard consume.delivered
  create a/q1; create a/q2; create a/q3; create a/q4; create a/q5; create a/q6; create a/q7; create a/q8
  create a/q9; create a/q10; create a/q11; create a/q12; create a/q13; create a/q14; create a/q15; create a/q16
  create a/q17; create a/q18; create a/q19; create a/q20; create a/q21; create a/q22; create a/q23; create a/q24
  subscribe A to a/*
  ! send m1 to a/q1; send m2 to a/q9; send m3 to a/q12; send m4 to a/q24; read A

subscribe.wildcards-together: subscribe.wildcard.later subscribe.wildcard lease.reassign lease.delete.hands-over consume.delivered
  create a/b; create a/c; create b/b; create b/c; subscribe A to a/*,b/*; subscribe B to b/*,a/*
  create a/d; create b/d; create a/e; create b/e; send m1 to a/d; send m2 to b/d; send m3 to a/e; send m4 to b/e
  ! read A; read B
  end A; read B

subscribe.wildcard-overlap: consume.entries subscribe.destinations.overlap subscribe.wildcard send.step-2.one-message ack.final.same
  create a/b; send m1 to a/b; subscribe A to a/b,a/*; send m2 to a/b
  ! read A; read A
  ack A each; read A

subscribe.wildcard-refused: subscribe.wildcard.refused answers 400 as misplaced-wildcard
  create a/b; subscribe A to a/*
  ! by path: subscribe B to "a/>/b"
  ! by path: subscribe B to "a/b*"
  ! by path: subscribe B to "a/b>"

subscribe.parameters: subscribe.parameters answers 201 as subscription-parameters
  create a; subscribe A to a
  ! request POST /subscriptions with Content-Type: application/x-www-form-urlencoded body "destination={a}&prefetch=5&selector=colour%20%3D%20'red'&timeout=10"

subscribe.bad-prefetch: subscribe.prefetch.range answers 400 as bad-prefetch
  create a; subscribe A to a
  ! request POST /subscriptions form destination=a prefetch=0
  ! request POST /subscriptions form destination=a prefetch=-1
  ! request POST /subscriptions form destination=a prefetch=1001
  ! request POST /subscriptions form destination=a prefetch=1.5
  ! request POST /subscriptions form destination=a prefetch=many
  ! request POST /subscriptions form destination=a prefetch=

subscribe.prefetches: subscribe.prefetch.range answers 201 as prefetches-of-1-and-1000
  create a
  ! subscribe A to a prefetch 1
  ! subscribe B to a prefetch 1000

subscribe.bad-timeout: subscribe.timeout.range answers 400 as bad-timeout
  create a; subscribe A to a
  ! request POST /subscriptions form destination=a timeout=0
  ! request POST /subscriptions form destination=a timeout=-1
  ! request POST /subscriptions form destination=a timeout=0.049
  ! request POST /subscriptions form destination=a timeout=3600.1
  ! request POST /subscriptions form destination=a timeout=soon
  ! request POST /subscriptions form destination=a timeout=

subscribe.shortest-timeout: subscribe.timeout.range answers 201 as timeout-of-50-ms
  create a
  ! request POST /subscriptions form destination=a timeout=0.05

subscribe.longest-timeout: subscribe.timeout.range answers 201 as timeout-of-an-hour
  create a
  ! request POST /subscriptions form destination=a timeout=3600

subscribe.unknown-field: subscribe.field.unknown answers 400 as unknown-field
  create a; subscribe A to a
  ! request POST /subscriptions form destination=a x-nobody-knows=1

subscribe.no-destination: subscribe.field.destination answers 400 as no-destination
  create a; subscribe A to a
  ! request POST /subscriptions form prefetch=1

subscribe.media-type: subscribe.media-type answers 415 as subscription-of-another-type
  create a; subscribe A to a
  ! request POST /subscriptions with Content-Type: text/plain form destination=a
  ! request POST /subscriptions with Content-Type: application/json form destination=a
  ! request POST /subscriptions with Content-Type: "multipart/form-data; boundary=x" form destination=a

subscribe.many-destinations: subscribe.destinations.limit answers 400 as 101-destinations
  create q1; subscribe A to q1
  ! by path: subscribe B to q1..q101

subscribe.hundred-destinations: subscribe.destinations.limit answers 201 as 100-destinations
  create q1
  ! by path: subscribe A to q1..q100

subscribe.waits-for-queue: subscribe.destinations.later shows m1 as destination-without-queue
  by path: subscribe A to a; create a; send m1 to a
  ! read A

subscribe.queue-made-again: subscribe.destinations.made-again shows m1 as queue-made-again-under-a-subscription
  create a; subscribe A to a; read A; delete a; create a; send m1 to a
  ! read A

subscribe.queue-made-again-keeps-messages: queues.create.posting browse.queue.entries consume.delivered
  create a; create b; subscribe A to a,b; read A; delete a; create a; send m1 to a
  ! browse a; read A; end A
  subscribe B to a; read B

subscribe.queue-made-again-alone: queues.create.posting browse.queue.entries
  create a; subscribe A to a; delete a; create a; send m1 to a
  ! browse a

subscribe.selector: subscribe.selector consume.delivered
  create a; send n1 to a with colour blue; send m1 to a with colour red
  subscribe A to a selector colour = 'red'; send m2 to a with colour red
  ! read A

subscribe.selector-only-matching: subscribe.selector.only
  create a; send n1 to a with colour blue; subscribe A to a selector colour = 'red'
  send n2 to a with colour blue; send m1 to a with colour red
  ! read A; read A
  ack A m1; send n3 to a with colour blue; read A

subscribe.selector-with-guid: subscribe.selector.only subscribe.selector
  create a; subscribe A to a selector colour = 'red'
  send n1 to a by guid with colour blue; send m1 to a by guid with colour red
  ! read A; read A

subscribe.selector-kept-late: subscribe.selector subscribe.selector.only consume.delivered
  create a; subscribe A to a selector colour = 'red'; send m1 to a with colour red
  create b; send n2 to b with colour blue; send m3 to b with colour red
  read A; read A; read A; read A; read A; read A
  wait late
  ! send n1 to a with colour blue; send m2 to a with colour red; read A; subscribe B to b selector colour = 'red'; read B

subscribe.selector-of-several: subscribe.selector.only subscribe.selector subscribe.selector.rest consume.delivered browse.queue.entries
  create a; create b; create c
  send n1 to a with colour blue; send n2 to b with colour blue; send n3 to c with colour blue
  subscribe A to a,b,c selector colour = 'red'
  send n4 to a with colour blue; send n5 to b with colour blue; send n6 to c with colour blue
  send m1 to a with colour red; send m2 to b with colour red; send m3 to c with colour red
  ! read A; read A; browse a; browse b; browse c

subscribe.selector-over-names-and-wildcard: subscribe.selector.only subscribe.selector consume.delivered
  create a/b; create c; send m1 to a/b with colour red; send n1 to a/b with colour blue; send m2 to c with colour red
  send n2 to c with colour blue; subscribe A to a/*,c prefetch 30 selector colour = 'red'
  ! read A; send m3 to c with colour red; send n3 to c with colour blue; read A

subscribe.selector-over-wildcard: subscribe.selector.only subscribe.selector subscribe.selector.rest consume.delivered browse.queue.entries
  create a/b; create a/c; send n1 to a/b with colour blue; send n2 to a/c with colour blue
  subscribe A to a/* selector colour = 'red'; create a/d
  send n3 to a/b with colour blue; send n4 to a/c with colour blue; send n5 to a/d with colour blue
  send m1 to a/b with colour red; send m2 to a/c with colour red; send m3 to a/d with colour red
  ! read A; read A; browse a/b; browse a/c; browse a/d

subscribe.selector-whatever-the-body: subscribe.selector consume.delivered
  create a; send m1 to a with colour red with Content-Type: application/json body 12345678901; send m2 to a with colour red empty
  subscribe A to a selector colour = 'red'
  ! read A

subscribe.selector-of-every-kind: subscribe.selector.only subscribe.selector consume.delivered
  create a; delete a; create a; send n1 to a by each with colour blue
  subscribe A to a; read A; end A; subscribe B to a; read B; end B
  subscribe C to a selector colour = 'red'; send m1 to a with colour red
  ! read C; read C

subscribe.selector-leaves-the-rest: subscribe.selector.rest subscribe.selector.only consume.delivered
  create a; send n1 to a with colour blue; subscribe A to a selector colour = 'red'
  ! send m1 to a with colour red; read A; send n2 to a with colour blue
  subscribe B to a; send n3 n4 to a with colour blue
  read A; read B

subscribe.selector-redelivery: subscribe.selector.only subscribe.selector.rest lease.reassign lease.delete.hands-over consume.delivered
  create a; send m1 to a with colour red; send n1 to a with colour blue; subscribe A to a; read A
  subscribe B to a selector colour = 'red'
  end A
  ! read B; read B
  end B; subscribe C to a; read C

subscribe.selector-redelivery-when-full: lease.delete.hands-over lease.reassign subscribe.selector consume.delivered
  create a; send m1 to a with colour red; subscribe A to a prefetch 1; read A
  subscribe B to a prefetch 2 selector colour = 'red'; send m2 to a with colour red; send m3 to a with colour red; read B
  send m4 to a with colour red
  end A
  ack B m2; ack B m3
  ! read B

subscribe.selector-behind-many: subscribe.selector consume.delivered
  create a; send b1..b500 to a with colour blue; send m1 to a with colour red
  subscribe A to a selector colour = 'red'
  ! read A

subscribe.selector-beside-large-bodies: subscribe.selector.only subscribe.selector consume.delivered
  create a; send m1 to a with colour blue size 5k; send m2 to a with colour red size 5k
  send n1 to a with colour blue size 70k; send m3 to a with colour red size 70k
  subscribe A to a selector colour = 'red'
  ! read A; browse a
`)
