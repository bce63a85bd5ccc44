import { queryClient } from '../../../api/query-client.js';
import { uploadWithProgress } from '../../../api/upload-with-progress.js';
import { createStore } from '../../../store/create-store.js';
import { countOf } from '../../../text/format-count.js';
import { notify, notifyError } from '../../../ui/toast.js';
import { summarizeUploads, type UploadSummary } from './summarize-uploads.js';
import { UploadQueue, type Upload } from './upload-queue.js';

const PUBLISH_INTERVAL_MS = 150;

/** All uploads of this tab. They continue when the user opens another page. */
export const uploads = createStore<readonly Upload[]>([]);

export const uploadQueue = new UploadQueue(
  ({ path, content }, signal, onLoaded) =>
    uploadWithProgress(path, content, { signal, onProgress: ({ loaded }) => onLoaded(loaded) }),
  schedulePublish,
);

/** Whether a page shows the uploads. Otherwise a notice reports their end. */
export const isPanelShown = createStore(false);

let isScheduled = false;
let wasActive = false;
let reportedDone = 0;

/** Progress arrives far more often than it can be seen. */
function schedulePublish(): void {
  if (isScheduled) return;
  isScheduled = true;
  setTimeout(publish, PUBLISH_INTERVAL_MS);
}

function publish(): void {
  isScheduled = false;
  const current = uploadQueue.uploads.map((upload) => ({ ...upload }));
  uploads.set(current);
  const { counts, isActive } = summarizeUploads(current);
  if (counts.done !== reportedDone) {
    reportedDone = counts.done;
    void queryClient.invalidateQueries({ queryKey: ['files'] });
  }
  if (wasActive !== isActive) {
    wasActive = isActive;
    if (isActive) addEventListener('beforeunload', preventLeaving);
    else removeEventListener('beforeunload', preventLeaving);
    if (!isActive && !isPanelShown.get()) report(counts);
  }
}

function report({ done, failed }: UploadSummary['counts']): void {
  if (failed > 0)
    notifyError(
      'Some files could not be uploaded',
      new Error(`${countOf(failed, 'file')} failed. Open Files to retry.`),
    );
  else if (done > 0) notify({ title: `Uploaded ${countOf(done, 'file')}` });
}

/** The browser asks before it closes a tab that uploads. */
const preventLeaving = (event: BeforeUnloadEvent): void => event.preventDefault();
