package dev.parley.attachments.images;

/**
 * Ends a walk at the first fault; its message completes "The image is not whole:". It never leaves this package: {@link
 * Images} turns it into a {@link Probe.Broken}.
 */
final class BrokenImage extends Exception {
    private static final long serialVersionUID = 1;

    BrokenImage(String reason) {
        // Hostile files must not cost a stack trace each.
        super(reason, null, false, false);
    }

    static BrokenImage cutOff() {
        return new BrokenImage("it is cut off");
    }

    static BrokenImage trailingData() {
        return new BrokenImage("other data follows the image's end");
    }

    static BrokenImage impossibleDimensions() {
        return new BrokenImage("its dimensions are impossible");
    }
}
