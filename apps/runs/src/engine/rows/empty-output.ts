import { OUTPUT_FILE } from '@millrace/graph/run/build-command-line';

/** SHA-256 of nothing. */
const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** The output of a step that failed, if its node has `on_error: empty`: an empty `out/output.txt`. */
export const EMPTY_OUTPUT = { path: OUTPUT_FILE.slice('out/'.length), sha256: EMPTY_SHA256, size: 0 } as const;
