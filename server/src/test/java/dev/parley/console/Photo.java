package dev.parley.console;

import com.microsoft.playwright.options.FilePayload;
import java.awt.Color;
import java.awt.GradientPaint;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import javax.imageio.ImageIO;

/** An image that a person can tell from an empty box: a sunset. */
record Photo(String name, int width, int height) {
    byte[] png() {
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        graphics.setPaint(new GradientPaint(0, 0, new Color(0x24386b), 0, height, new Color(0xf2a65a)));
        graphics.fillRect(0, 0, width, height);
        graphics.setPaint(new Color(0xfff1c1));
        int sun = Math.max(1, Math.min(width, height) / 4);
        graphics.fillOval(width / 2 - sun / 2, height * 2 / 3 - sun, sun, sun);
        graphics.setPaint(new Color(0x1c2b3a));
        graphics.fillRect(0, height * 3 / 4, width, height);
        graphics.dispose();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            ImageIO.write(image, "png", out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    FilePayload file() {
        return new FilePayload(name, "image/png", png());
    }

    String seen() {
        return "I see an image: image/png, " + png().length + " bytes, " + width + " × " + height + " pixels.";
    }
}
