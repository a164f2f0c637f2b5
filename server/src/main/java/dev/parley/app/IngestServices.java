package dev.parley.app;

import dev.parley.agents.Agents;
import dev.parley.attachments.Attachments;
import dev.parley.auth.IdentityLinks;
import dev.parley.delivery.Deliveries;
import dev.parley.delivery.Destinations;
import dev.parley.ingest.Ingest;
import dev.parley.ingest.Traces;
import dev.parley.nodes.WorkIntake;
import dev.parley.threads.SourceRevisions;
import dev.parley.threads.SourceThreads;

/** Messages from integrations and chat platforms, their traces, and the links between senders and users. */
record IngestServices(Ingest ingest, Traces traces, IdentityLinks links) {
    static IngestServices open(
            Foundation base,
            LogServices logs,
            ThreadServices conversations,
            Agents agents,
            Attachments attachments,
            Deliveries deliveries,
            WorkIntake intake) {
        IdentityLinks links = new IdentityLinks(base.database(), base.clock());
        Ingest ingest = new Ingest(
                new Ingest.Dependencies(
                        base.database(),
                        logs.log(),
                        new SourceThreads(
                                base.database(),
                                logs.log(),
                                conversations.directory(),
                                base.limits().threads().participants(),
                                base.clock()),
                        new SourceRevisions(logs.log(), logs.reader(), conversations.messages()),
                        conversations.messages(),
                        intake,
                        agents,
                        attachments,
                        new Destinations(base.clock()),
                        deliveries,
                        links),
                base.config().agents().defaultAgent(),
                base.limits(),
                base.clock());
        return new IngestServices(ingest, new Traces(base.database(), deliveries), links);
    }
}
