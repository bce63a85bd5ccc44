/**
 * Words and phrases that the project does not use, each with what to write instead. CONTRIBUTING.md has the rules behind
 * them, docs/glossary.md the words to use.
 */

/** Parts of names, in any case: `askedAt`, `isTold` and `MOST_ROWS` each contain one. */
export const BANNED_NAME_PARTS = new Map([
  ['anew', 'again'],
  ['ask', 'call, request'],
  ['asked', 'requested, or the name of the record'],
  ['asker', 'caller, client'],
  ['asks', 'calls, requests'],
  ['courier', 'dispatcher'],
  ['hand', 'dispatch, pass'],
  ['handed', 'dispatched, passed'],
  ['hear', 'handle, receive, subscribe'],
  ['heard', 'handled, received'],
  ['hears', 'handles, receives'],
  ['hold', 'lock, claim, pause'],
  ['holds', 'locks, claims, has'],
  ['longest', 'MAX_…'],
  ['mend', 'fix, repair'],
  ['most', 'MAX_…, limit'],
  ['news', 'notifications, events, changes'],
  ['patience', '…_TIMEOUT_MS'],
  ['said', 'published, reported, options'],
  ['tell', 'publish, notify, report'],
  ['tells', 'publishes, notifies, reports'],
  ['told', 'published, notified, reported'],
  ['turn', 'batch, iteration, transition'],
  ['turns', 'batches, iterations, transitions'],
  ['wanted', 'requested, required, expected'],
  ['wants', 'needs, requires'],
]);

/** Keys of payloads that an upgrade must not rename, although they contain such a part. */
export const WIRE_KEYS = new Set(['most']);

/** Verbs that are not nouns as well. A class that begins with one is named after an action, like a function. */
export const VERBS = new Set(
  `Add Apply Assign Choose Claim Collect Compile Create Decide Delete Deliver Encrypt Enqueue Ensure Fetch Find Finish Get
  Handle Invite Issue Keep Make Notify Prepare Publish Receive Reconcile Reject Release Remove Rename Replace Require
  Reset Resolve Restore Reveal Revoke Save Send Set Show Start Stop Submit Update Validate Verify`.match(/\w+/g),
);

/** In comments, texts and pages. A space stands for a line break too. */
export const BANNED_PHRASES = [
  ['anew', 'again'],
  ['any ?more', 'no longer'],
  ['any longer', 'no longer'],
  ['(?:are|is) no \\w+ of (?:this|that|the)', '"… does not exist in …"'],
  ['(?:asked|told) (?:of|for) (?:it|them)', 'name the thing'],
  ['at the most', 'at most'],
  ['bear(?:s|ing)? (?:the|a|an|it|repetition)', 'have, allow'],
  ['goes down with', 'is lost with'],
  ['hand(?:s|ed|ing)? out', 'dispatch'],
  ['hears? of', 'receives, is notified of'],
  ['in hand', 'name the thing'],
  ['relaying waits', '"Outbox relay failed; retrying"'],
  ['to be had', 'available'],
  ['what is (?:asked|missing|said|told|wanted)', 'name the thing'],
  ['whoever', 'the user, the caller, any client'],
];
