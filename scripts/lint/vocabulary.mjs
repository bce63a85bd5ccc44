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
  ['hear', 'handle, receive, subscribe'],
  ['heard', 'handled, received'],
  ['hears', 'handles, receives'],
  ['longest', 'MAX_…'],
  ['mend', 'fix, repair'],
  ['most', 'MAX_…, limit'],
  ['patience', '…_TIMEOUT_MS'],
  ['said', 'published, reported, options'],
  ['tell', 'publish, notify, report'],
  ['tells', 'publishes, notifies, reports'],
  ['told', 'published, notified, reported'],
  ['wanted', 'requested, required, expected'],
  ['wants', 'needs, requires'],
]);

/** In comments, texts and pages. */
export const BANNED_PHRASES = [
  [/\banew\b/i, 'again'],
  [/\bany ?more\b/i, 'no longer'],
  [/\b(?:are|is) no \w+ of (?:this|that|the)\b/i, '"… does not exist in …"'],
  [/\b(?:asked|told) (?:of|for) (?:it|them)\b/i, 'name the thing'],
  [/\bat the most\b/i, 'at most'],
  [/\bbear(?:s|ing)? (?:the|a|an|it|repetition)\b/i, 'have, allow'],
  [/\bgoes down with\b/i, 'is lost with'],
  [/\bhand(?:s|ed|ing)? out\b/i, 'dispatch'],
  [/\bin hand\b/i, 'name the thing'],
  [/\bto be had\b/i, 'available'],
  [/\bwhat is (?:asked|missing|said|told|wanted)\b/i, 'name the thing'],
  [/\bwhoever\b/i, 'the user, the caller, any client'],
];
