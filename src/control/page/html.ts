import { FAULT_KINDS } from '../faults/fault.js'

/** A flask, as a picture that needs no request. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%230b6e75'/%3E%3Cpath d='M3 5h10v6H3z M3 5l5 4 5-4' fill='none' stroke='white'/%3E%3C/svg%3E"

/**
 * The page of the mock broker, before anything is in it. All of it is fixed text: what a server holds comes in by the
 * programs of `browser/`. Its addresses are seen from `{base_url}/_control/`, so that it works below any base path.
 */
export const PAGE_HTML = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>atom-mq mock broker</title>
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="page/style.css">
<script type="module" src="page/main.js"></script>
</head>
<body>
<header>
<h1>atom-mq <span>mock broker</span></h1>
<p id="summary">Loading…</p>
<p id="live" class="lost" aria-live="polite">not connected</p>
<div class="clock">
<p><span class="quiet">Clock, UTC</span> <strong id="time"></strong> <span id="real-time" hidden title="Serve with a manual clock to advance it.">real time</span></p>
<form id="advance"><fieldset id="advance-fields" disabled><legend class="unseen">Advance the clock</legend>
<label>Seconds <input name="seconds" type="number" min="0" step="any" value="30" required></label>
<button>Advance</button>
<button type="button" id="to-lease-end" aria-disabled="true">To the next lease end</button>
</fieldset></form>
<button type="button" id="reset" class="danger">Reset everything</button>
</div>
<div class="words"><p id="said" role="status"></p><p id="problem" role="alert"></p></div>
</header>
<noscript><p>This page needs JavaScript. What it shows is also JSON, at <a href="state">state</a>.</p></noscript>
<main>
<nav aria-labelledby="queues-title" tabindex="-1">
<h2 id="queues-title">Queues</h2>
<p id="no-queues" class="quiet">There is no queue yet.</p>
<ul id="queues"></ul>
<form id="create-queue">
<label>New queue <input name="name" required placeholder="orders/new" autocomplete="off"></label>
<button>Create</button>
</form>
</nav>
<div class="column">
<section aria-labelledby="messages-title" tabindex="-1">
<h2 id="messages-title">Messages</h2>
<p id="no-queue" class="quiet">Create a queue, and its messages are here.</p>
<div id="queue" hidden>
<h3><bdi id="queue-name"></bdi> <span id="queue-counts" class="quiet"></span></h3>
<p id="no-messages" class="quiet">No message is pending.</p>
<div class="scroll" id="messages-table" tabindex="0" role="group" aria-label="Pending messages" hidden><table>
<caption class="unseen">Pending messages, oldest first</caption>
<thead><tr><th scope="col">#</th><th scope="col">Message</th><th scope="col">Held</th><th scope="col">Deliveries</th></tr></thead>
<tbody id="messages"></tbody>
</table></div>
<p id="more-messages" class="quiet" hidden></p>
<form id="send">
<label>Body <textarea name="body" rows="1"></textarea></label>
<label>Type <input name="type" value="text/plain" autocomplete="off"></label>
<button>Send</button>
</form>
</div>
</section>
<section aria-labelledby="journal-title" tabindex="-1">
<div class="title"><h2 id="journal-title">Journal</h2><button type="button" id="clear-journal">Clear the journal</button></div>
<p id="no-exchanges" class="quiet">Nothing was asked yet.</p>
<ol id="journal" reversed></ol>
</section>
</div>
<div class="column">
<section aria-labelledby="subscriptions-title" tabindex="-1">
<h2 id="subscriptions-title">Subscriptions and leases</h2>
<p id="no-subscriptions" class="quiet">Nobody consumes.</p>
<div class="scroll" id="subscriptions-table" tabindex="0" role="group" aria-label="Consumers" hidden><table>
<caption class="unseen">Consumers and how long their leases last</caption>
<thead><tr><th scope="col">Id</th><th scope="col">From</th><th scope="col">Holds</th><th scope="col">Lease</th></tr></thead>
<tbody id="subscriptions"></tbody>
</table></div>
</section>
<section aria-labelledby="faults-title" tabindex="-1">
<div class="title"><h2 id="faults-title">Faults</h2><button type="button" id="clear-faults" aria-disabled="true">Clear all faults</button></div>
<p id="no-faults" class="quiet">Nothing goes wrong on purpose.</p>
<div class="scroll" id="faults-table" hidden><table>
<caption class="unseen">What goes wrong on purpose, in the order in which it is tried</caption>
<thead><tr><th scope="col">Id</th><th scope="col">Fault</th><th scope="col">Requests</th><th scope="col">Fired</th><th scope="col"><span class="unseen">Remove</span></th></tr></thead>
<tbody id="faults"></tbody>
</table></div>
<form id="add-fault">
<label>Fault <select name="fault" id="fault-kind">${FAULT_KINDS.map((kind) => `<option>${kind}</option>`).join('')}</select></label>
<label id="fault-ms">Milliseconds <input name="ms" type="number" min="0" value="1000"></label>
<label id="fault-code">Status <input name="code" type="number" min="200" max="599" value="503"></label>
<label>Method <input name="method" size="6" placeholder="any" autocomplete="off"></label>
<label>Path <input name="path" placeholder="any, or /queues/**" autocomplete="off"></label>
<label>Times <input name="times" type="number" min="1" placeholder="always"></label>
<label>Probability <input name="probability" type="number" min="0" max="1" step="any" placeholder="1"></label>
<button>Add fault</button>
</form>
</section>
</div>
</main>
</body>
</html>
`
