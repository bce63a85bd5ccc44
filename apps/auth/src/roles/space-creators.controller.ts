import { Controller } from '@nestjs/common';
import { admitCreator } from '@millrace/contracts/auth/roles';
import type { Payload } from '@millrace/contracts/kit/event';
import type { Input } from '@millrace/contracts/kit/operation';
import { spaceCreated, spaceDeleted } from '@millrace/contracts/workflows/spaces';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { actorFromEvent, writeAuditEntry } from '../audit/write-audit-entry.js';
import { changeRetention } from '../retention/change-retention.js';

type SpaceEvent = Payload<typeof spaceCreated>;

/** Makes the creator of a space its owner, and deletes the roles and the retention of a deleted space. */
@Controller()
export class SpaceCreatorsController {
  constructor(private readonly database: Database) {}

  @OperationHandler(admitCreator)
  async admit({ body }: Input<typeof admitCreator>): Promise<Record<string, never>> {
    const { creator, ...space } = body;
    await this.database.transaction((tx) => this.addOwner(tx, { ...space, user: creator }));
    return {};
  }

  @EventHandler(spaceCreated)
  async created(spaces: SpaceEvent[], tx: Transaction): Promise<void> {
    for (const space of sortById(spaces)) await this.addOwner(tx, space);
  }

  @EventHandler(spaceDeleted)
  async deleted(spaces: SpaceEvent[], tx: Transaction): Promise<void> {
    for (const space of sortById(spaces)) {
      await tx.knownSpace.upsert({
        where: { spaceId: space.space },
        create: { spaceId: space.space, deleted: true, deletedAt: new Date() },
        update: { deleted: true, deletedAt: new Date() },
      });
      await tx.spaceAssignment.deleteMany({ where: { spaceId: space.space } });
      await changeRetention(tx, { id: space.space, vault: space.vault }, null);
      await audit(tx, 'space.deleted', space);
    }
  }

  private async addOwner(tx: Transaction, space: SpaceEvent): Promise<void> {
    const [admission] = await tx.$queryRaw<{ deleted: boolean }[]>`
      INSERT INTO auth.known_space AS k (space_id, admitted) VALUES (${space.space}::uuid, true)
      ON CONFLICT (space_id) DO UPDATE SET admitted = true WHERE NOT k.admitted
      RETURNING deleted`;
    if (!admission) return;
    await audit(tx, 'space.created', space);
    if (admission.deleted) return;
    await tx.$executeRaw`
      INSERT INTO auth.space_assignment (id, vault_id, space_id, user_id, role)
      SELECT ${newId()}::uuid, vault_id, ${space.space}::uuid, id, 'owner' FROM auth."user"
      WHERE id = ${space.user}::uuid AND vault_id = ${space.vault}::uuid
      ON CONFLICT DO NOTHING`;
  }
}

/** A fixed order, so that two batches with the same spaces cannot deadlock. */
const sortById = (spaces: SpaceEvent[]): SpaceEvent[] => spaces.toSorted((a, b) => (a.space < b.space ? -1 : 1));

const audit = (tx: Transaction, action: 'space.created' | 'space.deleted', space: SpaceEvent): Promise<void> =>
  writeAuditEntry(tx, {
    ...actorFromEvent(space),
    action,
    target: { type: 'space', id: space.space, name: space.name },
  });
