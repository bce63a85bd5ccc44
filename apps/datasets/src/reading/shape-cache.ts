import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Context } from '@millrace/messaging/rpc/context';
import { Database } from '@millrace/persistence/database';
import { isId } from '@millrace/persistence/ids';
import type { LiveShape } from './live-shape.js';
import { loadShape } from './load-shape.js';

/** Shapes kept at the most; one of 500 columns has about 100 KB. */
const MOST = 500;

interface Access {
  /** As shapes are kept by it; a caller may write it in upper case (RFC 9562, section 4). */
  id: string;
  revision: number;
  number: number;
  space: string;
  open: boolean;
}

/** Shapes of the Live Tables that were queried last. What is kept is good for one revision, and every query asks which it is. */
@Injectable()
export class ShapeCache {
  private readonly kept = new LRUCache<string, LiveShape>({ max: MOST });

  constructor(private readonly database: Database) {}

  /**
   * The shape of a Live Table that the caller may use as the operation declares.
   * @throws NotFoundError, ForbiddenError
   */
  async find(id: string, context: Context): Promise<LiveShape> {
    const access = isId(id) ? await this.readAccess(id, context.caller.vault) : null;
    if (!access) throw new NotFoundError('Live Table');
    context.requireSpaceRoleUnlessPublic(access.space, 'Live Table', access.open);
    const kept = this.kept.get(access.id);
    return kept?.revision === access.revision && kept.number === access.number ? kept : this.load(access.id);
  }

  /**
   * The same for `LiveReader.read`, which finds out by itself what has changed, and whether the table is there at all. Who
   * has a role in its space is let in without a question to Postgres, for no table leaves its space.
   */
  async findForRead(id: string, context: Context): Promise<LiveShape> {
    const kept = this.kept.get(id);
    if (kept?.vault !== context.caller.vault || !hasRole(context.caller, kept.space)) return this.find(id, context);
    context.requireSpaceRole(kept.space, 'Live Table');
    return kept;
  }

  /** @throws NotFoundError where the table is gone */
  async load(id: string): Promise<LiveShape> {
    const shape = await loadShape(this.database.client, id);
    if (!shape) throw new NotFoundError('Live Table');
    return this.store(shape);
  }

  store(shape: LiveShape): LiveShape {
    this.kept.set(shape.id, shape);
    return shape;
  }

  private async readAccess(id: string, vault: string): Promise<Access | null> {
    const [access] = await this.database.client.$queryRaw<Access[]>`
      SELECT d.id, d.revision, d.number, d.space_id AS space, s.is_public AS open
      FROM datasets.dataset d JOIN datasets.solution s ON s.id = d.solution_id
      WHERE d.id = ${id}::uuid AND d.vault_id = ${vault}::uuid`;
    return access ?? null;
  }
}

const hasRole = ({ spaces }: Caller, space: string): boolean => spaces === 'all' || Object.hasOwn(spaces, space);
