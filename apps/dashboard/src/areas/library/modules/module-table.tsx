import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import type { Module } from '@millrace/client';
import { Icon, type IconName } from '../../../ui/icon.js';
import { CELL, HEAD_CELL, Table } from '../../../ui/table.js';
import { KIND_LABELS, type ModuleKind } from '../search.js';

export const KIND_ICONS: Record<ModuleKind, IconName> = { TOOL: 'wrench', SCRIPT: 'code', MODULE: 'workflow' };

interface ModuleTableProps {
  modules: readonly Module[];
  /** Whether the modules are sorted by category, so that each category has a row above its modules. */
  isGrouped: boolean;
}

export const ModuleTable = ({ modules, isGrouped }: ModuleTableProps) => (
  <Table
    label="Modules"
    head={
      <>
        <th scope="col" className={HEAD_CELL}>
          Name
        </th>
        <th scope="col" className={`${HEAD_CELL} w-full`}>
          What it does
        </th>
        <th scope="col" className={HEAD_CELL}>
          {isGrouped ? 'Kind' : 'Category'}
        </th>
        <th scope="col" className={`${HEAD_CELL} text-right`}>
          Version
        </th>
      </>
    }
  >
    {modules.map((module, at) => (
      <Fragment key={module.id}>
        {isGrouped && module.category !== modules[at - 1]?.category && (
          <tr className="bg-panel">
            <th scope="colgroup" colSpan={4} dir="auto" className="h-8 px-3 text-left text-xs font-medium text-muted">
              {module.category ?? 'Without a category'}
            </th>
          </tr>
        )}
        <ModuleRow module={module} isGrouped={isGrouped} />
      </Fragment>
    ))}
  </Table>
);

const ModuleRow = ({ module, isGrouped }: { module: Module; isGrouped: boolean }) => (
  <tr className="relative hover:bg-hover">
    <td className={`${CELL} max-w-72`}>
      <Link
        to="/library/modules/$moduleId"
        params={{ moduleId: module.id }}
        className="flex min-w-0 items-center gap-2.5 font-medium after:absolute after:inset-0"
      >
        <Icon name={KIND_ICONS[module.type]} className="text-muted" label={KIND_LABELS[module.type]} />
        <span dir="auto" title={module.name} className="min-w-0 truncate">
          {module.name}
        </span>
      </Link>
    </td>
    <td className={`${CELL} max-w-0 truncate text-muted`} dir="auto" title={module.description}>
      {module.available === false && <span className="mr-1.5 text-failed">Withdrawn.</span>}
      {module.description}
    </td>
    <td className={`${CELL} max-w-48 truncate text-muted`}>{isGrouped ? KIND_LABELS[module.type] : module.category}</td>
    <td className={`${CELL} nums text-right text-muted`}>{module.built_in ? 'built-in' : module.version}</td>
  </tr>
);
