-- How the provider failed at a request to a model: status, address and its own words, for operators and the agent's owner.
alter table run_contexts add column failure json;
