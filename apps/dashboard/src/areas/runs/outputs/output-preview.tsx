import type { Output } from '@millrace/client';
import { client } from '../../../api/client.js';
import { ContentPreview } from '../../../ui/preview/content-preview.js';
import { downloadUrl } from './output-row.js';

/** The beginning of an output. A preview never requests all of a large one. */
export const OutputPreview = ({ output: { id, sha256, name, size } }: { output: Output }) => (
  <ContentPreview
    className="max-h-120 border-t border-line bg-page"
    contentKey={sha256}
    name={name}
    size={size}
    read={async (range, signal) => (await client.outputs.download(id, { range, signal })).bytes()}
    wholeUrl={downloadUrl({ id })}
  />
);
