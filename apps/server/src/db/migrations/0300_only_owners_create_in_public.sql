-- Up to PostgreSQL 14, every role can create tables and functions in the schema public, so also stet_app. If the owner of the
-- database doesn't own this schema, PostgreSQL only warns that it revoked nothing.
revoke create on schema public from public;
