-- Tokens and cost stand on the message that a request to a model made.
alter table model_usage
    -- the message, by the id under which it was streamed; null for a request that made none
    add column message_id text collate "C",
    -- the member whose request it was, by its own run_id; null for the run's own agent
    add column member_run_id text collate "C";
