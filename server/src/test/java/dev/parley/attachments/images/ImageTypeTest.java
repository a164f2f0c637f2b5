package dev.parley.attachments.images;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ImageTypeTest {
    @ParameterizedTest
    @EnumSource
    void typesAreFoundByTheirOwnNames(ImageType type) {
        assertThat(ImageType.ofMimeType(type.mimeType())).contains(type);
    }

    @ParameterizedTest
    @CsvSource({
        "image/jpg,JPEG",
        "image/pjpeg,JPEG",
        "image/x-png,PNG",
        "image/apng,PNG",
        "IMAGE/PNG,PNG",
        "Image/WebP; q=1; name=x,WEBP",
        "' image/avif ;',AVIF"
    })
    void oldNamesCaseAndParametersDoNotMatter(String declared, ImageType type) {
        assertThat(ImageType.ofMimeType(declared)).contains(type);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ";",
                "image/",
                "image/*",
                "png",
                "image/svg+xml",
                "image/bmp",
                "text/html",
                "text/html;image/png",
                "image/png,text/html"
            })
    void otherTypeIsNotFound(String declared) {
        assertThat(ImageType.ofMimeType(declared)).isEmpty();
    }
}
