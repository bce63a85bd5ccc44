import { isFinalSubjob, type Run, type Subjob } from '@millrace/client';
import { DownloadAll } from './download-all.js';
import { OutputList } from './output-list.js';
import { outputsQuery } from './outputs-query.js';

export function SubjobOutputs({ run, subjob }: { run: Run; subjob: Subjob }) {
  const query = outputsQuery({ run: run.id, subjob: subjob.id });
  return (
    <div className="p-4">
      {subjob.task_index === undefined && (
        <div className="mb-3 flex justify-end empty:hidden">
          <DownloadAll run={run.id} node={subjob.node} list={query} />
        </div>
      )}
      <OutputList
        query={query}
        withNode={false}
        empty={isFinalSubjob(subjob.status) ? 'It has no outputs.' : 'Outputs appear here when it has succeeded.'}
      />
    </div>
  );
}
