import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Context } from '@millrace/messaging/rpc/context';
import { Database, type Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';
import { type LiveShape, SHAPE_SQL, toShape, type ShapeRow } from './live-shape.js';

/** A shape of 500 columns has about 100 KB. */
const MAX_CACHED_SHAPES = 500;

interface CurrentTable {
  /** In lower case, like the keys of the cache; a caller may write an id in upper case (RFC 9562, section 4). */
  id: string;
  revision: number;
  number: number;
  space: string;
  isPublic: boolean;
}

/** Caches the shapes of recently queried Live Tables. A shape is valid for one revision; every query checks which one it is. */
@Injectable()
export class ShapeCache {
  private readonly shapes = new LRUCache<string, LiveShape>({ max: MAX_CACHED_SHAPES });

  constructor(private readonly database: Database) {}

  /**
   * The shape of a Live Table that the caller may use as the operation declares.
   * @throws NotFoundError, ForbiddenError
   */
  async find(id: string, context: Context): Promise<LiveShape> {
    const table = isId(id) ? await this.readTable(id, context.caller.vault) : null;
    if (!table) throw new NotFoundError(`Live Table ${id}`);
    context.requireSpaceRoleUnlessPublic(table.space, `Live Table ${id}`, table.isPublic);
    const cached = this.shapes.get(table.id);
    return cached?.revision === table.revision && cached.number === table.number ? cached : this.load(table.id);
  }

  /**
   * Like `find`, for `LiveReader.read`, which checks by itself whether the table has changed or still exists. For a caller
   * with a role in the cached space this takes no query, because a table never moves to another space.
   */
  async findForRead(id: string, context: Context): Promise<LiveShape> {
    const cached = this.shapes.get(id);
    if (cached?.vault !== context.caller.vault || !hasRole(context.caller, cached.space)) return this.find(id, context);
    context.requireSpaceRole(cached.space, `Live Table ${id}`);
    return cached;
  }

  /** @throws NotFoundError if the table does not exist */
  async load(id: string): Promise<LiveShape> {
    const shape = await loadShape(this.database.client, id);
    if (!shape) throw new NotFoundError(`Live Table ${id}`);
    return this.store(shape);
  }

  store(shape: LiveShape): LiveShape {
    this.shapes.set(shape.id, shape);
    return shape;
  }

  private async readTable(id: string, vault: string): Promise<CurrentTable | null> {
    const [table] = await this.database.client.$queryRaw<CurrentTable[]>`
      SELECT d.id, d.revision, d.number, d.space_id AS space, s.is_public AS "isPublic"
      FROM datasets.dataset d JOIN datasets.solution s ON s.id = d.solution_id
      WHERE d.id = ${id}::uuid AND d.vault_id = ${vault}::uuid`;
    return table ?? null;
  }
}

const hasRole = ({ spaces }: Caller, space: string): boolean => spaces === 'all' || Object.hasOwn(spaces, space);

/** The current shape of a Live Table, or null if it does not exist. Does not check access. */
export async function loadShape(client: Pick<Transaction, '$queryRaw'>, id: string): Promise<LiveShape | null> {
  const statement = new Prisma.Sql([...SHAPE_SQL.split('$1')], [id]);
  const [row] = await client.$queryRaw<ShapeRow[]>(statement);
  return row ? toShape(id, row) : null;
}
