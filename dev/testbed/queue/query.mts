/** The thread that asks PostgreSQL (servers.mts). */
import { Client, type ClientConfig } from 'pg';
import { runAsWorker } from 'synckit';

/** Runs one statement, over a connection of its own; its rows are those that JSON knows. */
export async function query(
	server: ClientConfig,
	statement: string,
	values: string[],
): Promise<Record<string, unknown>[]> {
	const client = new Client(server);
	await client.connect();
	try {
		const { rows } = await client.query(
			`SELECT coalesce(json_agg(answer), '[]') AS answers FROM (${statement}) AS answer`,
			values,
		);
		return rows[0].answers;
	} finally {
		await client.end();
	}
}

runAsWorker(query);
