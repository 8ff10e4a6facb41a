-- State of the simulator. Amounts are cents, quantities ten-thousandths, dates ISO 8601 text in UTC, and
-- booleans 0 or 1. IDs that clients see have AUTOINCREMENT, so none is used twice.

CREATE TABLE applications (
	app_key TEXT PRIMARY KEY,
	secret_key TEXT NOT NULL
) STRICT;

CREATE TABLE accounts (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	company_name TEXT NOT NULL,
	is_subscription_active INTEGER NOT NULL DEFAULT 1,
	street TEXT, city TEXT, postal_code TEXT, state TEXT, state_abbrev TEXT, country TEXT,
	company_phone TEXT,
	web_site_url TEXT,
	company_logo_url TEXT,
	about_us TEXT,
	project_terms TEXT,
	currency_code TEXT NOT NULL DEFAULT 'USD',
	currency_symbol TEXT NOT NULL DEFAULT '$',
	-- taxed components: a comma-separated subset of Parts, Labor, and Fee
	tax_apply_to TEXT NOT NULL DEFAULT 'Parts'
) STRICT;

CREATE TABLE users (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	account_id INTEGER NOT NULL REFERENCES accounts,
	first_name TEXT NOT NULL,
	last_name TEXT,
	email TEXT NOT NULL UNIQUE,
	password TEXT NOT NULL,
	permission_group TEXT NOT NULL,
	is_active INTEGER NOT NULL DEFAULT 1,
	is_email_verified INTEGER NOT NULL DEFAULT 1
) STRICT;

CREATE TABLE user_keys (
	key TEXT PRIMARY KEY,
	app_key TEXT NOT NULL REFERENCES applications,
	user_id INTEGER NOT NULL REFERENCES users,
	created_date TEXT NOT NULL
) STRICT;

CREATE TABLE people (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	account_id INTEGER NOT NULL REFERENCES accounts,
	party_type TEXT NOT NULL,
	contact_type TEXT NOT NULL,
	first_name TEXT NOT NULL,
	last_name TEXT,
	company_name TEXT,
	contact_email TEXT,
	contact_email_cc TEXT,
	contact_phone TEXT,
	notes TEXT,
	created_date TEXT NOT NULL,
	last_modified_date TEXT NOT NULL,
	last_modified_user_id INTEGER
) STRICT;

CREATE TABLE locations (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	person_id INTEGER NOT NULL REFERENCES people,
	street TEXT, suite TEXT, city TEXT, postal_code TEXT, state TEXT, state_abbrev TEXT, country TEXT,
	phone TEXT,
	contact_first_name TEXT, contact_last_name TEXT, contact_phone_number TEXT, contact_email TEXT,
	is_primary INTEGER NOT NULL DEFAULT 0,
	is_billing INTEGER NOT NULL DEFAULT 0,
	last_modified_date TEXT NOT NULL
) STRICT;

CREATE TABLE categories (
	id INTEGER PRIMARY KEY,
	-- null: an industry, the top of the tree
	parent_id INTEGER REFERENCES categories,
	name TEXT NOT NULL
) STRICT;

CREATE TABLE suppliers (
	id INTEGER PRIMARY KEY,
	name TEXT NOT NULL UNIQUE
) STRICT;

-- Part: the shared catalog (account_id null). Labor, CustomItem, Fee: an account's own library.
CREATE TABLE catalog_items (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	account_id INTEGER REFERENCES accounts,
	item_type TEXT NOT NULL,
	brand TEXT, model TEXT, name TEXT,
	short_description TEXT NOT NULL DEFAULT '',
	image_url TEXT,
	category_id INTEGER REFERENCES categories,
	msrp_cents INTEGER NOT NULL,
	-- cost of items without a supplier (labor, custom items, fees); parts use catalog_costs
	cost_cents INTEGER NOT NULL DEFAULT 0,
	is_discontinued INTEGER NOT NULL DEFAULT 0,
	is_recurring_service INTEGER NOT NULL DEFAULT 0,
	last_modified_date TEXT NOT NULL
) STRICT;

CREATE TABLE catalog_costs (
	item_id INTEGER NOT NULL REFERENCES catalog_items,
	supplier_id INTEGER NOT NULL REFERENCES suppliers,
	cost_cents INTEGER NOT NULL,
	is_in_stock INTEGER NOT NULL DEFAULT 1,
	is_default INTEGER NOT NULL DEFAULT 0,
	last_verified_date TEXT NOT NULL,
	PRIMARY KEY (item_id, supplier_id)
) STRICT;

CREATE TABLE catalog_marks (
	account_id INTEGER NOT NULL REFERENCES accounts,
	item_id INTEGER NOT NULL REFERENCES catalog_items,
	is_favorite INTEGER NOT NULL DEFAULT 0,
	is_company_approved INTEGER NOT NULL DEFAULT 0,
	PRIMARY KEY (account_id, item_id)
) STRICT;

-- A change order is a proposal with a parent.
CREATE TABLE proposals (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	account_id INTEGER NOT NULL REFERENCES accounts,
	parent_id INTEGER REFERENCES proposals,
	number INTEGER NOT NULL,
	name TEXT NOT NULL,
	status TEXT NOT NULL DEFAULT 'Draft',
	sales_person_id INTEGER NOT NULL REFERENCES users,
	contact_id INTEGER REFERENCES people,
	location_id INTEGER REFERENCES locations,
	project_description TEXT,
	internal_notes TEXT,
	coverpage_image_url TEXT,
	-- Percentage (discount_value in hundredths of a percent) or Fixed (in cents); null: none
	discount_type TEXT,
	discount_value INTEGER,
	payment_description TEXT,
	is_archived INTEGER NOT NULL DEFAULT 0,
	created_date TEXT NOT NULL,
	last_modified_date TEXT NOT NULL,
	last_modified_by_user_date TEXT NOT NULL,
	last_modified_user_id INTEGER NOT NULL REFERENCES users,
	last_submitted_date TEXT,
	client_last_opened_date TEXT,
	client_last_decision_date TEXT,
	last_completed_date TEXT,
	UNIQUE (account_id, number)
) STRICT;

CREATE TABLE areas (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	proposal_id INTEGER NOT NULL REFERENCES proposals,
	name TEXT NOT NULL
) STRICT;

CREATE TABLE area_options (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	area_id INTEGER NOT NULL REFERENCES areas,
	status TEXT NOT NULL DEFAULT 'Draft',
	last_modified_date TEXT NOT NULL,
	client_description TEXT,
	installer_description TEXT
) STRICT;

CREATE TABLE proposal_items (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	option_id INTEGER NOT NULL REFERENCES area_options,
	parent_id INTEGER REFERENCES proposal_items,
	item_type TEXT NOT NULL,
	referenced_item_id INTEGER NOT NULL REFERENCES catalog_items,
	brand TEXT, model TEXT, name TEXT,
	short_description TEXT,
	client_note TEXT,
	image_url TEXT,
	msrp_cents INTEGER,
	sell_price_cents INTEGER NOT NULL,
	cost_cents INTEGER NOT NULL,
	cost_update_date TEXT,
	supplier_id INTEGER REFERENCES suppliers,
	quantity INTEGER NOT NULL,
	is_combined_price INTEGER NOT NULL DEFAULT 0,
	is_tax_exempt INTEGER NOT NULL DEFAULT 0,
	is_recurring_service INTEGER NOT NULL DEFAULT 0,
	created_date TEXT NOT NULL,
	last_modified_date TEXT
) STRICT;

CREATE TABLE scheduled_payments (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	proposal_id INTEGER NOT NULL REFERENCES proposals,
	-- hundredths of a percent of the proposal total; null: the rest
	percent INTEGER,
	due_date TEXT,
	milestone TEXT
) STRICT;

CREATE TABLE payment_requests (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	proposal_id INTEGER NOT NULL REFERENCES proposals,
	status TEXT NOT NULL,
	amount_cents INTEGER NOT NULL,
	due_date TEXT NOT NULL,
	description TEXT,
	payment_method TEXT
) STRICT;

CREATE TABLE subscriptions (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	account_id INTEGER NOT NULL REFERENCES accounts,
	url TEXT NOT NULL,
	description TEXT,
	is_enabled INTEGER NOT NULL DEFAULT 1,
	secret_key TEXT NOT NULL,
	-- comma-separated event identifiers
	events TEXT NOT NULL,
	created_date TEXT NOT NULL
) STRICT;

-- Without a foreign key to subscriptions, so deliveries remain when the subscription is deleted.
CREATE TABLE deliveries (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	event_id TEXT NOT NULL UNIQUE,
	subscription_id INTEGER NOT NULL,
	url TEXT NOT NULL,
	event_type TEXT NOT NULL,
	-- text that every attempt sends
	body TEXT NOT NULL,
	-- pending, delivered, failed (all retries used), cancelled (subscription deleted or disabled)
	state TEXT NOT NULL DEFAULT 'pending',
	attempts INTEGER NOT NULL DEFAULT 0,
	-- milliseconds since 1970, machine time
	created_at INTEGER NOT NULL,
	next_attempt_at INTEGER NOT NULL,
	last_status INTEGER,
	last_error TEXT
) STRICT;

-- The AI Builder. next_step_at: milliseconds since 1970, machine time; null: no further step.
CREATE TABLE ai_contents (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	proposal_id INTEGER NOT NULL REFERENCES proposals,
	user_id INTEGER NOT NULL REFERENCES users,
	name TEXT NOT NULL,
	summary TEXT NOT NULL DEFAULT '',
	status TEXT NOT NULL DEFAULT 'Uploaded',
	source_type TEXT NOT NULL,
	created_date TEXT NOT NULL,
	-- whether it becomes Invalid
	is_unusable INTEGER NOT NULL DEFAULT 0,
	next_step_at INTEGER
) STRICT;

-- A proposal's outline is the latest one; earlier ones can still be read by their ID.
CREATE TABLE ai_outlines (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	proposal_id INTEGER NOT NULL REFERENCES proposals,
	status TEXT NOT NULL DEFAULT 'Generating',
	outline TEXT,
	is_failing INTEGER NOT NULL DEFAULT 0,
	next_step_at INTEGER
) STRICT;

CREATE TABLE ai_builds (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	proposal_id INTEGER NOT NULL REFERENCES proposals,
	status TEXT NOT NULL DEFAULT 'Building',
	is_failing INTEGER NOT NULL DEFAULT 0,
	next_step_at INTEGER
) STRICT;

-- Uploads without their bytes. They remain when the content is deleted.
CREATE TABLE ai_uploads (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	-- JSON object that the control returns
	upload TEXT NOT NULL
) STRICT;

-- Views for reading only.

CREATE VIEW key_owners AS
SELECT users.*, key, app_key, is_subscription_active
FROM user_keys JOIN users ON users.id = user_id JOIN accounts ON accounts.id = account_id;

CREATE VIEW placed_options AS
SELECT area_options.*, proposal_id, areas.name AS area_name
FROM area_options JOIN areas ON areas.id = area_id;

CREATE VIEW placed_items AS
SELECT proposal_items.*, placed_options.status AS option_status, area_id, area_name, proposal_id,
	suppliers.name AS supplier
FROM proposal_items JOIN placed_options ON placed_options.id = option_id
LEFT JOIN suppliers ON suppliers.id = supplier_id;

CREATE VIEW listed_proposals AS
SELECT proposals.*, first_name, last_name, company_name, contact_email
FROM proposals LEFT JOIN people ON people.id = contact_id;

CREATE VIEW offers AS
SELECT catalog_costs.*, suppliers.name AS supplier_name
FROM catalog_costs JOIN suppliers ON suppliers.id = supplier_id;

CREATE VIEW categorized_items AS
SELECT catalog_items.*, categories.name AS category_name,
	categories.parent_id AS parent_category_id, parents.name AS parent_category_name
FROM catalog_items
LEFT JOIN categories ON categories.id = category_id
LEFT JOIN categories AS parents ON parents.id = categories.parent_id;
