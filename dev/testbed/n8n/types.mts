/** What n8n's interface takes and gives, as far as it is looked at here. */

/** A workflow as n8n exports and imports it. */
export interface Workflow {
	/** Of a shared example, so that an import by command needs no choice; the editor gives a new one. */
	id?: string;
	name: string;
	nodes: WorkflowNode[];
	connections: Record<string, unknown>;
	settings?: Record<string, unknown>;
}

/** A node of a workflow. */
export interface WorkflowNode {
	id: string;
	name: string;
	type: string;
	typeVersion: number;
	position: [number, number];
	parameters: Record<string, unknown>;
	credentials?: Record<string, { id: string; name: string }>;
	webhookId?: string;
	[setting: string]: unknown;
}

/** A workflow that n8n keeps. */
export interface StoredWorkflow extends Workflow {
	id: string;
	versionId: string;
}

/** A credential that n8n keeps. */
export interface StoredCredential {
	id: string;
	name: string;
	type: string;
}

/** What n8n's test of a credential says. */
export interface CredentialTest {
	status: 'OK' | 'Error';
	message: string;
}

/** What n8n says about the activation of a workflow. */
export interface Publication {
	status: 'in_progress' | 'published' | 'partial' | 'failed' | 'not_published';
	triggers: { errorMessage: string | null }[];
}

/** A description of a node, as far as it is looked at here. */
export interface NodeType {
	/** With the name of the package in front. */
	name: string;
	version: number | number[];
	credentials?: { name: string }[];
	properties: { name: string; options?: { value?: unknown }[] }[];
}

/** A table among n8n's data tables. */
export interface DataTable {
	name: string;
	columns: { name: string; type: 'string' | 'number' | 'boolean' | 'date' }[];
}

/** A row of a data table. */
export type TableRow = Record<string, string | number | boolean | null>;
