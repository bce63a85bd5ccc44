import { isFinalSubjob, type Run, type Subjob } from '@millrace/client';
import { OutputList } from './output-list.js';
import { outputsQuery } from './outputs-query.js';

export const SubjobOutputs = ({ run, subjob }: { run: Run; subjob: Subjob }) => (
  <div className="p-4">
    <OutputList
      query={outputsQuery({ run: run.id, subjob: subjob.id })}
      withNode={false}
      empty={isFinalSubjob(subjob.status) ? 'It has no outputs.' : 'Outputs appear here when it has succeeded.'}
    />
  </div>
);
