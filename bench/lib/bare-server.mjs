import Fastify from 'fastify';
import pg from 'pg';

/** The floor of the workload `get`: Fastify and pg, one prepared query, no authentication. */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const QUERY = `
  SELECT w.*, s.name AS space_name, p.name AS project_name
  FROM workflows.workflow w
  JOIN workflows.space s ON s.id = w.space_id
  LEFT JOIN workflows.project p ON p.id = w.project_id
  WHERE w.id = $1`;

const app = Fastify();
app.get('/workflows/:id', async (request) => {
  const { id } = /** @type {{ id: string }} */ (request.params);
  const { rows } = await pool.query({ name: 'workflow', text: QUERY, values: [id] });
  return rows[0];
});
await app.listen({ port: Number(process.argv[2]), host: '127.0.0.1' });
process.send?.('ready');
