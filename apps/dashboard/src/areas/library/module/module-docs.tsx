import type { ReactNode } from 'react';
import type { ModuleWithNode } from '@millrace/client';
import { Copyable } from '../../../ui/copyable.js';
import { Markdown } from '../../../ui/markdown.js';
import { GraphSection } from '../published/graph-section.js';
import { Examples } from './examples.js';
import { ModuleFacts } from './module-facts.js';
import { InputTable, OutputTable } from './port-tables.js';

/** What the module does, what it takes and gives, and examples. */
export function ModuleDocs({ module }: { module: ModuleWithNode }) {
  const { description, help, inputs = [], outputs = [], examples = [], script } = module;
  return (
    <div className="flex gap-8 max-lg:flex-col">
      <div className="flex min-w-0 flex-1 flex-col gap-6">
        {description !== undefined && (
          <p dir="auto" className="wrap-text max-w-3xl">
            {description}
          </p>
        )}
        {help !== undefined && <Markdown source={help} />}
        {module.snapshot !== undefined && module.available !== false && <GraphSection snapshot={module.snapshot} />}
        <Part title="Inputs">
          {inputs.length === 0 ? <None>It has no inputs.</None> : <InputTable inputs={inputs} />}
        </Part>
        <Part title="Outputs">
          {outputs.length === 0 ? <None>It has no outputs.</None> : <OutputTable outputs={outputs} />}
        </Part>
        {examples.length > 0 && (
          <Part title="Examples">
            <Examples examples={examples} />
          </Part>
        )}
        {script && (
          <Part title={`Source (${module.script_type ?? 'bash'})`}>
            <Copyable text={script.source} label="Copy the source" />
          </Part>
        )}
      </div>
      <ModuleFacts module={module} />
    </div>
  );
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <h2 className="mb-2 text-base!">{title}</h2>
    {children}
  </section>
);

const None = ({ children }: { children: ReactNode }) => <p className="text-sm text-muted">{children}</p>;
